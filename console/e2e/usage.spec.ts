import { expect, expectAccessible, logIn, test } from './gate';

test('usage is what the server counted, and a proposal becomes a draft', async ({ page, gate }) => {
  const agent = 'usage<b>agent';
  await gate.agent(agent, [{ tool_name: 'file_list', allowed: true }]);
  for (let call = 0; call < 21; call++) {
    await gate.call(agent, 'file_list', { path: '.' });
  }
  await gate.call(agent, 'file_delete', { path: 'x' });
  await logIn(page, 'operator');
  await page.goto(`/console/usage?days=1&agent=${encodeURIComponent(agent)}`);
  const row = page.getByRole('row').filter({ hasText: agent });
  await expect(row.getByRole('cell')).toHaveText([agent, '22', '1', '0', /.*/, /.*/]);
  await expect(page.getByRole('img', { name: 'In this period 21 calls completed, 1 were refused and 0 failed.' })).toBeVisible();
  expect(await page.locator('main b').count()).toBe(0);
  await page.getByRole('tab', { name: 'By agent', exact: true }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/view=tool/);
  await expect(page.getByRole('row').filter({ hasText: 'file_delete' })).toBeVisible();
  await page.getByRole('button', { name: 'Refused' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/sort=refused/);
  await expect(page.getByRole('row').nth(1)).toContainText('file_delete');

  await page.getByRole('tab', { name: 'Least privilege' }).click();
  const choice = page.getByRole('checkbox', { name: `Choose file_list of ${agent}` });
  await choice.focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Open 1 as a draft' }).focus();
  await page.keyboard.press('Enter');
  const draft = page.getByRole('region', { name: 'Draft' });
  await expect(draft).toContainText('Draft with 1 change');
  await expect(draft).toContainText('params.path in ["."]');
  // Nothing is changed by looking at it.
  const now = (await (await gate.api.get(`/api/v1/permissions/${encodeURIComponent(agent)}`)).json()) as {
    permissions: { tool_name: string; sources: { condition: string | null }[] }[];
  };
  expect(now.permissions[0]?.sources[0]?.condition).toBeNull();
});

test('who may not change permissions cannot draft proposals', async ({ page }) => {
  await logIn(page, 'auditor');
  await page.goto('/console/usage?view=proposals&days=1');
  await expect(page.getByText(/can open them as a draft here|Nothing to take away/)).toBeVisible();
  await expect(page.getByRole('button', { name: /as a draft/ })).toHaveCount(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/console/usage?view=pair');
  await expect(page.getByRole('table')).toBeVisible();
  await expectAccessible(page);
});
