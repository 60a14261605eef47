import type { Locator, Page } from '@playwright/test';
import { expect, KEYS, test } from './gate';

/** Presses Tab until something has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Not reached by Tab: ${String(target)}`);
}

async function go(page: Page, key: string, title: string): Promise<void> {
  // The second key counts for a second and a half only: on a busy machine it may come too late, and both are pressed again.
  await expect(async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
}

test('pages without a journey of their own are used by keyboard alone', async ({ page, gate }) => {
  test.setTimeout(120_000);
  const agent = `keys_only_${Date.now()}`;
  await page.goto('/console/agents');
  await expect(page.getByLabel('Key', { exact: true })).toBeFocused();
  await page.keyboard.type(KEYS['admin'] ?? '');
  await page.keyboard.press('Enter');

  // Agents: add one, and land where its program is connected.
  await tabTo(page, page.getByRole('button', { name: 'Add an agent' }));
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Id')).toBeFocused();
  await page.keyboard.type(agent);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: agent })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Connect' })).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, page.getByRole('tab', { name: 'Connect' }));
  await page.keyboard.press('ArrowRight'); // from the last to the first
  await expect(page.getByRole('tab', { name: 'Access' })).toHaveAttribute('aria-selected', 'true');
  await tabTo(page, page.getByRole('button', { name: 'Grant a tool' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Tool').first());
  await page.keyboard.type('file_list');
  await tabTo(page, dialog.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: 'file_list', exact: true })).toBeVisible();

  // Changes: take the grant back.
  await go(page, 'c', 'Changes');
  await tabTo(page, page.getByLabel('Agent', { exact: true }));
  await page.keyboard.type(agent);
  const change = page.getByRole('row').filter({ hasText: 'file_list' });
  await expect(page.getByRole('row').filter({ hasText: agent }).first()).toBeVisible();
  await tabTo(page, change.getByRole('button', { name: 'Undo' }).first());
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Undo' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('The change was undone.')).toBeVisible();
  const left = (await (await gate.api.get(`/api/v1/permissions/${agent}`)).json()) as { permissions: unknown[] };
  expect(left.permissions).toEqual([]);

  // Tools: find one and open it. Templates: open one. Servers and the overview: reach what they offer.
  await go(page, 't', 'Tools');
  await tabTo(page, page.getByLabel('Filter'));
  await page.keyboard.type('file_delete');
  await tabTo(page, page.getByRole('link', { name: 'file_delete' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'file_delete' })).toBeVisible();
  await go(page, 'x', 'Templates');
  await page.keyboard.press('/');
  await page.keyboard.type('reviewer');
  await tabTo(page, page.getByRole('link', { name: 'Reviewer' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Reviewer' })).toBeVisible();
  await go(page, 's', 'MCP servers');
  await tabTo(page, page.getByRole('button', { name: 'Add a server' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await go(page, 'o', 'Overview');
  await tabTo(page, page.getByRole('link', { name: /^Refused/ }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/status=REFUSED/);

  // Settings: the shortcuts themselves, off and on.
  await go(page, 'e', 'Settings');
  const shortcuts = page.getByRole('switch', { name: /Shortcuts of a single key/ });
  await tabTo(page, shortcuts);
  await page.keyboard.press('Space');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tabTo(page, shortcuts);
  await page.keyboard.press('Space');
  await go(page, 'o', 'Overview');
});
