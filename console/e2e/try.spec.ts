import { expect, expectAccessible, logIn, test } from './gate';

test('a call is decided before, made by keyboard, and leads to its record', async ({ page, gate }) => {
  const agent = `try_agent_${Date.now()}`;
  await gate.agent(agent, [{ tool_name: 'file_list', allowed: true }]);
  await logIn(page, 'admin');
  await page.goto('/console/try');
  await page.getByRole('combobox', { name: 'Tool' }).focus();
  await page.keyboard.type('file_list');
  await expect(page.getByRole('option', { name: 'file_list' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('combobox', { name: 'As the agent' }).focus();
  await page.keyboard.type(agent);
  await expect(page.getByRole('option', { name: agent })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`tool=file_list&agent=${agent}`));
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision.getByText('Allowed').first()).toBeVisible();
  await page.getByLabel(/^limit/).focus();
  await page.keyboard.type('0');
  await expect(decision).toContainText('It would be let through and fail');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('5');
  await expect(decision).not.toContainText('It would be let through and fail');
  expect(await (await gate.api.get(`/api/v1/audit/logs?agent_id=${agent}`)).json()).toEqual([]);
  await page.keyboard.press('Enter');
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('Completed');
  await expectAccessible(page);
  await outcome.getByRole('link', { name: 'To the record' }).click();
  await expect(page.getByRole('heading', { name: 'Sealed' })).toBeVisible();
  await expect(page.locator('.arguments')).toContainText('5');
});

test('what is denied says which rule, and nothing runs', async ({ page, gate }) => {
  await gate.agent('try_denied', []);
  await logIn(page, 'admin');
  await page.goto('/console/try?tool=file_write&agent=try_denied');
  const decision = page.getByRole('region', { name: 'Decision' });
  await expect(decision.getByRole('row', { name: /^Permissions/ })).toContainText('PERMISSION_DENIED');
  await page.getByLabel(/^path/).fill('denied.txt');
  await page.getByLabel(/^content/).fill('x');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Outcome' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Run: sure?' }).click();
  await expect(page.getByRole('region', { name: 'Outcome' })).toContainText('Refused: nothing ran');
});

test('a call that waits for an approval is followed to its end', async ({ page, gate }) => {
  await gate.agent('try_held', [{ tool_name: 'file_list', allowed: true, requires_approval: true }]);
  await logIn(page, 'admin');
  await page.goto('/console/try?tool=file_list&agent=try_held');
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText('Needs approval');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await expect(outcome).toContainText('It waits for an approval.');
  const link = await outcome.getByRole('link', { name: 'To the request for approval' }).getAttribute('href');
  const id = new URL(link ?? '', page.url()).searchParams.get('id');
  expect((await gate.api.post(`/api/v1/approvals/${id}`, { data: { approved: true } })).status()).toBe(200);
  await expect(outcome).toContainText('Completed');
});

test('the form has a field for every type, and JSON for what it does not know', async ({ page, gate }) => {
  const schema = {
    type: 'object',
    required: ['title'],
    properties: {
      title: { type: 'string', description: '<b>bold</b>\u202e' },
      count: { type: ['integer', 'null'] },
      share: { type: 'number' },
      dry: { type: 'boolean' },
      mode: { enum: ['fast', 'slow'] },
      tags: { type: 'array', items: { type: 'string' } },
      where: { type: 'object', properties: { city: { type: 'string' } } },
      anything: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    },
  };
  await gate.agent('try_form', [{ tool_name: 'file_list', allowed: true }]);
  await logIn(page, 'admin');
  // Tools of servers bring their own schemas; this one has every type at once.
  await page.route('**/api/v1/tools', async (route) => {
    const tools = (await (await route.fetch()).json()) as Record<string, unknown>[];
    await route.fulfill({ json: tools.map((each) => (each['name'] === 'file_list' ? { ...each, input_schema: schema } : each)) });
  });
  await page.goto('/console/try?tool=file_list&agent=try_form');
  const form = page.getByRole('region', { name: 'A call' });
  await expect(form.locator('.hidden-character')).toHaveText('U+202E');
  expect(await form.locator('b').count()).toBe(0);
  await form.getByLabel(/^title/).fill('it');
  await form.getByLabel(/^count/).fill('3');
  await form.getByLabel(/^share/).fill('0.5');
  await form.getByLabel(/^dry/).selectOption('false');
  await form.getByLabel(/^mode/).selectOption('slow');
  await form.getByRole('button', { name: 'Add to tags' }).click();
  await form.getByLabel(/^tags 1/).fill('a');
  await form.getByRole('group', { name: 'where' }).getByLabel('city').fill('Wien');
  await form.getByLabel(/^anything/).fill('{"deep": ');
  await expect(form.getByText('This is not JSON yet.')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Run' })).toBeDisabled();
  await form.getByLabel(/^anything/).fill('{"deep": [1]}');
  await expectAccessible(page);
  await form.getByText('JSON', { exact: true }).click();
  expect(JSON.parse(await form.getByLabel('Arguments', { exact: false }).last().inputValue())).toEqual({
    title: 'it',
    count: 3,
    share: 0.5,
    dry: false,
    mode: 'slow',
    tags: ['a'],
    where: { city: 'Wien' },
    anything: { deep: [1] },
  });
});

test('a condition shows its mistakes in their place, and how examples come out', async ({ page }) => {
  await logIn(page, 'auditor');
  await page.goto('/console/try?view=condition');
  const condition = page.getByLabel('Condition', { exact: true });
  await condition.fill('agent == "writer" &&\n  params.path ==');
  await page.getByRole('button', { name: 'Line 2, column 17:' }).click();
  await expect(condition).toBeFocused();
  await expect(page.locator('.mistakes .line').nth(1).locator('mark')).toHaveCount(1);
  await expectAccessible(page);
  await condition.fill('params.path.startsWith("src/")');
  await expect(page.getByText('No mistakes')).toBeVisible();
  await expect(page.getByRole('status', { name: 'Result of example 1' })).toHaveText('Matches');
  await page.getByLabel('Example 1', { exact: true }).fill('{"params": {"path": "secret"}}');
  await expect(page.getByRole('status', { name: 'Result of example 1' })).toHaveText('Does not match');
  await page.getByRole('button', { name: 'Add an example' }).click();
  await page.getByLabel('Example 2', { exact: true }).fill('{"params": {}}');
  await expect(page.getByRole('status', { name: 'Result of example 2' })).toHaveText('Has no result');
  await expect.poll(() => new URL(page.url()).searchParams.get('examples')).toContain(': {}');
  await page.reload();
  await expect(page.getByRole('status', { name: 'Result of example 2' })).toHaveText('Has no result');
  await expect(page.getByRole('status', { name: 'Result of example 1' })).toHaveText('Does not match');
});

test('whoever may not call sees decisions, and an agent tries only as itself', async ({ page, gate }) => {
  await gate.agent('try_looked_at', []);
  await logIn(page, 'operator');
  await page.goto('/console/try?tool=file_list&agent=try_looked_at');
  await expect(page.getByRole('region', { name: 'Decision' })).toContainText('Denied');
  await expect(page.getByText('Your role sees decisions, and does not call tools.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run' })).toHaveCount(0);
  const me = (await (await page.request.get('/api/v1/console/session')).json()) as { csrf_token: string };
  const forced = await page.request.post('/api/v1/tools/execute', {
    headers: { 'X-CSRF-Token': me.csrf_token },
    data: { request_id: `forced-${Date.now()}`, agent_id: 'try_looked_at', tool_name: 'file_list', operation: 'run', parameters: {} },
  });
  expect(forced.status()).toBe(403);

  await logIn(page, 'agent');
  await page.goto('/console/try?agent=try_looked_at');
  const own = ((await (await page.request.get('/api/v1/whoami')).json()) as { agent_id: string }).agent_id;
  await expect(page.getByLabel('As the agent')).toHaveValue(own);
  await expect(page.getByRole('tab', { name: 'A condition' })).toHaveCount(0);
});
