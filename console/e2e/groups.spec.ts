import { expect, expectAccessible, logIn, test, Gate } from './gate';

async function group(gate: Gate, id: string, members: string[], tools: Record<string, unknown>[]): Promise<void> {
  expect([201, 409]).toContain((await gate.api.post('/api/v1/groups', { data: { group_id: id } })).status());
  for (const member of members) {
    await gate.agent(member, []);
    expect((await gate.api.put(`/api/v1/groups/${encodeURIComponent(id)}/members/${encodeURIComponent(member)}`)).status()).toBe(204);
  }
  if (tools.length > 0) {
    const changes = tools.map((each) => ({ group_id: id, ...each }));
    expect((await gate.api.post('/api/v1/permissions/bulk', { data: { changes } })).status()).toBe(200);
  }
}

async function toolsOf(gate: Gate, agent: string): Promise<string[]> {
  return (await (await gate.api.get(`/api/v1/tools/permissions/${agent}`)).json()) as string[];
}

test('a group is made, filled and given a tool by keyboard alone', async ({ page, gate }) => {
  const id = `keyboard_group_${Date.now()}`;
  await gate.agent('keyboard_member', []);
  await logIn(page, 'operator');
  await page.goto('/console/groups');
  await page.getByRole('button', { name: 'Add a group' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByLabel('Id')).toBeFocused();
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/groups/${id}`));
  await page.getByRole('button', { name: 'Add members' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The group grants nothing yet.')).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Agents' })).toBeFocused();
  await page.keyboard.type('keyboard_member');
  await expect(page.getByRole('option', { name: 'keyboard_member' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Add members' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Members (1)' })).toBeVisible();
  await page.getByRole('tab', { name: 'Members (1)' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=grants/);
  await page.getByRole('button', { name: 'Grant a tool' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('Tool').first().focus();
  await page.keyboard.type('file_list');
  await page.keyboard.press('Tab');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /file_list/ })).toContainText('the only member');
  expect(await toolsOf(gate, 'keyboard_member')).toContain('file_list');
});

test('a grant of a group says whom it reaches, is changed, and undone', async ({ page, gate }) => {
  await group(gate, 'reach_group', ['reach_one', 'reach_two'], [{ tool_name: 'file_read', allowed: true }]);
  await gate.agent('reach_two', [{ tool_name: 'file_read', allowed: false }]);
  await logIn(page, 'operator');
  await page.goto('/console/groups/reach_group?tab=grants');
  const row = page.getByRole('row', { name: /file_read/ });
  await expect(row).toContainText('1 of 2 members');
  await expect(row).toContainText('reach_two');
  await row.getByRole('button', { name: 'Change file_read' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Affects 2 agents: reach_one, reach_two');
  await dialog.getByText('Refuse', { exact: true }).click();
  await dialog.getByLabel('Reason').fill('not for now');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Refused');
  expect(await toolsOf(gate, 'reach_one')).not.toContain('file_read');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row).toContainText('Allowed');
  expect(await toolsOf(gate, 'reach_one')).toContain('file_read');
});

test('who leaves a group is told about before, and comes back by Undo', async ({ page, gate }) => {
  await group(gate, 'left_group', ['left_agent'], [{ tool_name: 'file_list', allowed: true }]);
  await logIn(page, 'operator');
  await page.goto('/console/groups/left_group');
  await page.getByRole('button', { name: 'Remove left_agent' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('It may then no longer use: file_list');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No members yet')).toBeVisible();
  expect(await toolsOf(gate, 'left_agent')).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('link', { name: 'left_agent' })).toBeVisible();
  expect(await toolsOf(gate, 'left_agent')).toEqual(['file_list']);
});

test('a change of a group by somebody else appears by itself', async ({ page, gate }) => {
  const id = `live_group_${Date.now()}`;
  await group(gate, id, ['live_member'], []);
  await logIn(page, 'auditor');
  await page.goto(`/console/groups/${id}?tab=grants`);
  await expect(page.getByText('Nothing is granted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Grant a tool' })).toHaveCount(0);
  // The stream is open once it has told the version of the permissions; a change before that is read with the page.
  await expect(async () => {
    await group(gate, id, [], [{ tool_name: 'file_list', allowed: true, notes: `at ${Date.now()}` }]);
    await expect(page.getByRole('row', { name: /file_list/ })).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 20_000 });
});

test('a template shows what it would add before it is applied, and is undone', async ({ page, gate }) => {
  await gate.agent('template_agent', [
    { tool_name: 'file_list', allowed: true },
    { tool_name: 'file_read', allowed: false },
  ]);
  await logIn(page, 'operator');
  await page.goto('/console/templates/reviewer?agent=template_agent');
  const preview = page.getByRole('table', { name: 'What would change' });
  await expect(preview.getByRole('row', { name: /file_list/ })).toContainText('stays as it is');
  await expect(preview.getByRole('row', { name: /file_read/ })).toContainText('stays refused');
  await expect(preview.getByRole('row', { name: /web_search/ })).toContainText('is granted');
  expect(await toolsOf(gate, 'template_agent')).toEqual(['file_list']);
  await page.getByLabel('Reason').fill('reviews');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(preview.getByRole('row', { name: /web_search/ })).toContainText('stays as it is');
  const now = await toolsOf(gate, 'template_agent');
  expect(now).toContain('web_search');
  expect(now).not.toContain('file_read');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(preview.getByRole('row', { name: /web_search/ })).toContainText('is granted');
  expect(await toolsOf(gate, 'template_agent')).toEqual(['file_list']);
});

test('hostile names of groups are text, on small screens too', async ({ page, gate }) => {
  const id = `evil<b>\u202e"'group`;
  await group(gate, id, [`evil<i>\u202e"'member`], [{ tool_name: 'file_list', allowed: true, notes: '<img src=x onerror="alert(1)">' }]);
  await gate.api.patch(`/api/v1/groups/${encodeURIComponent(id)}`, { data: { description: '<script>alert(2)</script>\u2066' } });
  await logIn(page, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const address of [
    '/console/groups',
    `/console/groups/${encodeURIComponent(id)}`,
    `/console/groups/${encodeURIComponent(id)}?tab=grants`,
    `/console/templates/reviewer?group=${encodeURIComponent(id)}`,
  ]) {
    await page.goto(address);
    await expect(page.locator('main .hidden-character').first()).toBeVisible();
    expect(await page.locator('main img[src="x"], main script, main b, main i').count(), address).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), address).toBeLessThanOrEqual(0);
    await expectAccessible(page);
  }
});
