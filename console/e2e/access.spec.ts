import { expect, logIn, test } from './gate';

test('access is changed by keyboard: a draft survives a reload, is applied at once, and undone', async ({ page, gate }) => {
  await gate.agent('matrix_agent', [{ tool_name: 'file_read', allowed: true, requires_approval: true }]);
  await logIn(page, 'operator');
  await page.goto('/console/access?agent=matrix_agent&tool=/^file_(list|read)$/');
  const grid = page.getByRole('grid', { name: 'Agents and tools' });
  await expect(grid).toHaveAttribute('aria-colcount', '3');
  await grid.focus();
  const focused = page.locator('#matrix-focus');
  await expect(focused).toHaveText('matrix_agent, file_list: not set');
  await page.keyboard.press('ArrowRight');
  await expect(focused).toHaveText('matrix_agent, file_read: needs approval');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await expect(focused).toHaveText('matrix_agent, file_list: allowed, in the draft');
  const before = (await (await gate.api.get('/api/v1/permissions/matrix_agent')).json()) as { permissions: unknown[] };
  expect(before.permissions).toHaveLength(1);

  await page.reload();
  const draft = page.getByRole('region', { name: 'Draft' });
  await expect(draft).toContainText('Draft with 1 change');
  await draft.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(draft).toHaveCount(0);
  await grid.focus();
  await expect(focused).toHaveText('matrix_agent, file_list: allowed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(focused).toHaveText('matrix_agent, file_list: not set');
});

test('a draft is not applied over changes of somebody else', async ({ page, gate }) => {
  await gate.agent('moved_agent', []);
  await logIn(page, 'operator');
  await page.goto('/console/access?agent=moved_agent&tool=file_list');
  const grid = page.getByRole('grid', { name: 'Agents and tools' });
  await grid.focus();
  await page.keyboard.press('Space');
  const draft = page.getByRole('region', { name: 'Draft' });
  await expect(draft).toContainText('Draft with 1 change');
  await gate.agent('moved_agent', [{ tool_name: 'file_list', allowed: false }]);
  // Whether the page has heard of it or not: nothing is applied, and it says why.
  const apply = draft.getByRole('button', { name: 'Apply 1 change' });
  if (await apply.isEnabled()) {
    // The page may hear of it before the click, and then there is nothing to click on.
    await apply.click({ timeout: 5_000 }).catch(() => undefined);
  }
  await expect(draft.getByText('The permissions have changed meanwhile').first()).toBeVisible();
  const left = (await (await gate.api.get('/api/v1/permissions/moved_agent')).json()) as {
    permissions: { state: string }[];
  };
  expect(left.permissions.map((each) => each.state)).toEqual(['refused']);
});
