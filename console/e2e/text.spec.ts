import { expect, logIn, test } from './gate';

const HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>\u202egnp.exe\u2066 {{7*7}} ${8*8}';

test('hostile text of an agent is shown as text, with hidden characters written out', async ({ page, gate }) => {
  const agent = `evil<b>\u202e"'agent`;
  const id = await gate.held(agent, 'bash', { command: HOSTILE });
  await gate.call(agent, 'file_delete', { path: HOSTILE });
  await logIn(page, 'admin');
  for (const address of [
    `/console/approvals?id=${id}`,
    `/console/activity?agent_id=${encodeURIComponent(agent)}`,
    '/console/agents',
    `/console/agents/${encodeURIComponent(agent)}`,
    '/console/changes',
    '/console/',
  ]) {
    await page.goto(address);
    await expect(page.locator('main .hidden-character').first()).toHaveText('U+202E');
    expect(await page.locator('main img[src="x"], main script, main b, main i').count(), address).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide, `no layout is broken at ${address}`).toBeLessThanOrEqual(0);
  }
  await page.goto(`/console/approvals?id=${id}`);
  await expect(page.locator('.pane-detail')).toContainText('<script>alert(2)</script>');
});

test('of a megabyte of arguments everything that the server sends is shown', async ({ page, gate }) => {
  const content = `begin-${'0123456789abcde\n'.repeat(60_000)}-end`;
  const id = await gate.held('large_agent', 'file_write', { path: 'large.txt', content });
  const sent = (await gate.approval(id)) as unknown as { parameters: { content: string } };
  await logIn(page, 'admin');
  await page.goto(`/console/approvals?q=large_agent&id=${id}`);
  await expect(page.getByRole('heading', { name: 'Arguments' })).toBeVisible();
  const shown = await page.locator('.arguments').evaluate((element) => element.textContent ?? '');
  expect(shown).toContain(sent.parameters.content);
  expect(shown).toContain('-end');
});

test('a new key is shown once, and never again', async ({ page }) => {
  await logIn(page, 'admin');
  await page.goto('/console/settings?tab=keys');
  await page.getByRole('button', { name: 'Make a key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('made in the console');
  await dialog.getByRole('button', { name: 'Make a key' }).click();
  const key = await page.locator('.copyable pre').first().innerText();
  expect(key).toMatch(/^tg_/);
  expect((await page.request.get('/api/v1/whoami', { headers: { Authorization: `Bearer ${key}` } })).status()).toBe(200);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await expect(page.getByRole('cell', { name: /made in the console/ })).toBeVisible();
  expect(await page.content()).not.toContain(key);
});

test('a grant is made in the console, shown as a command, and undone', async ({ page, gate }) => {
  await gate.agent('undo_agent', []);
  await logIn(page, 'operator');
  await page.goto('/console/agents/undo_agent');
  await page.getByRole('button', { name: 'Grant a tool' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tool').first().fill('file_read');
  await dialog.getByLabel('Condition').first().fill('params.path == "it\'s"');
  await dialog.getByRole('button', { name: 'Command', exact: true }).click();
  await expect(page.getByLabel('With the toolgate command', { exact: true })).toContainText(
    `toolgate grant undo_agent file_read --if 'params.path == "it'\\''s"'`,
  );
  await dialog.getByRole('button', { name: 'Command', exact: true }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'file_read', exact: true })).toBeVisible();
  await page.goto('/console/changes?agent_id=undo_agent');
  await page.getByRole('row').filter({ hasText: 'file_read' }).getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('The change was undone.')).toBeVisible();
  const left = (await (await gate.api.get('/api/v1/permissions/undo_agent')).json()) as { permissions: unknown[] };
  expect(left.permissions).toEqual([]);
});

test('a newcomer sees an allowed, a denied and an approved call by one button', async ({ page }) => {
  await logIn(page, 'acme');
  await page.goto('/console/');
  await page.getByRole('button', { name: 'Start the demonstration' }).click();
  await expect(page.getByText('Waiting approvals')).toBeVisible();
  await page.getByRole('link', { name: /^Approvals/ }).click();
  await page.locator('.row-button').first().click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve: sure?' }).click();
  await expect(page.locator('.row').first()).toContainText('Approved');
  await page.goto('/console/activity');
  await expect(page.locator('.record').filter({ hasText: 'file_list' })).toContainText('Completed');
  await expect(page.locator('.record').filter({ hasText: 'bash' })).toContainText('Refused');
  await expect(page.locator('.record').filter({ hasText: 'file_write' })).toContainText('Completed');
});

test('what happens in one tenant is not seen in the other', async ({ page, gate }) => {
  await gate.agent('secret_of_the_first_tenant', []);
  await logIn(page, 'acme');
  await page.goto('/console/agents');
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
  await expect(page.locator('main [role="status"][aria-label="Loading"]')).toHaveCount(0);
  await expect(page.getByText('secret_of_the_first_tenant')).toHaveCount(0);
  await page.goto('/console/agents/secret_of_the_first_tenant');
  await expect(page.getByText("There is no agent 'secret_of_the_first_tenant'")).toBeVisible();
});
