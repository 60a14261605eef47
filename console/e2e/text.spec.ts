import { expect, expectAccessible, logIn, test } from './gate';

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

test('hostile results, reasons, operations and names of artifacts are text too', async ({ page, gate }) => {
  const agent = 'hostile_results';
  await gate.agent(agent, [{ tool_name: 'bash', allowed: true }, { tool_name: 'file_read', allowed: true }]);
  const name = `<img src=x onerror=alert(3)>\u202e${Date.now()}.png`;
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  await gate.call(agent, 'bash', { command: `echo ${png} | base64 -d > '${name}'` });
  const made = await gate.api.post('/api/v1/tools/execute', {
    data: { request_id: `hostile-${name}`, agent_id: agent, tool_name: 'file_read', operation: HOSTILE, project_id: '<b>p</b>', parameters: { path: name } },
  });
  expect(await made.text(), 'an image becomes an artifact').toContain('artifacts/art_');
  const id = await gate.held('hostile_reasons', 'file_write', { path: name, content: 'x' });
  await gate.api.post(`/api/v1/approvals/${id}`, { data: { approved: false, reason: HOSTILE } });
  await gate.agent('hostile_reasons', [{ tool_name: 'bash', allowed: true, notes: HOSTILE, condition: "params.command != '<script>alert(4)</script>'" }]);
  await gate.api.put('/api/v1/tools/external/hostile_tool', {
    data: { description: HOSTILE, input_schema: { type: 'object', properties: { '<b>x</b>': { type: 'string', description: HOSTILE } } } },
  });
  const [record] = (await (await gate.api.get(`/api/v1/audit/logs?agent_id=${agent}&tool_name=file_read`)).json()) as { id: number }[];
  await logIn(page, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const address of [
    `/console/activity/${record!.id}`,
    `/console/activity?agent_id=hostile_reasons&kind=all`,
    `/console/approvals?view=history&id=${id}`,
    '/console/agents/hostile_reasons?tool=bash',
    '/console/agents/hostile_reasons?tab=history',
    '/console/tools/hostile_tool',
    '/console/try?tool=hostile_tool&agent=hostile_reasons',
    '/console/access?agent=hostile',
  ]) {
    await page.goto(address);
    await expect(page.locator('main h1').first()).toBeAttached();
    await expect(page.locator('main [role="status"][aria-label="Loading"]')).toHaveCount(0);
    expect(await page.locator('img[src="x"], main script, main b').count(), address).toBe(0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide, `no layout is broken at ${address}`).toBeLessThanOrEqual(0);
  }
  await page.goto(`/console/activity/${record!.id}`);
  const artifacts = page.getByRole('list', { name: 'Artifacts' });
  await expect(artifacts).toContainText('<img src=x onerror=alert(3)>');
  await artifacts.getByRole('button', { name: 'Show' }).click();
  await expect(artifacts.locator('img')).toHaveJSProperty('naturalWidth', 1);
});

test('all of a megabyte of arguments is shown before anybody can approve it', async ({ page, gate }) => {
  const half = '0123456789abcde\n'.repeat(33_000);
  const content = `begin\n${half}rm -rf /\n${half}-end`;
  const id = await gate.held('large_agent', 'file_write', { path: 'large.txt', content });
  await logIn(page, 'admin');
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(`**/api/v1/approvals/${id}`, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`/console/approvals?q=large_agent&id=${id}`);
  await expect(page.getByRole('button', { name: 'Approve' }), 'not before the arguments are there').toBeDisabled();
  await page.locator('.row-button').first().focus();
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  arrive();
  await expect(page.getByRole('button', { name: 'Approve' })).toBeEnabled();
  expect((await gate.approval(id)).state).toBe('pending');
  const shown = await page.locator('.arguments').evaluate((element) => element.textContent ?? '');
  expect(shown.includes(content)).toBe(true);
  await expect(page.getByText('1,056,019 characters, all of them here')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.locator('.row').first()).toContainText('Denied');
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
