import { expect, expectAccessible, logIn, test } from './gate';

test('a call is undone from its record, and refused once the file has changed', async ({ page, gate }) => {
  const name = `undo-${Date.now()}.txt`;
  await gate.agent('undo_agent', [
    { tool_name: 'file_write', allowed: true },
    { tool_name: 'file_read', allowed: true },
  ]);
  await gate.call('undo_agent', 'file_write', { path: name, content: 'first\n' });
  const request = await gate.call('undo_agent', 'file_write', { path: name, content: 'second\n' });
  const records = (await (await gate.api.get(`/api/v1/audit/logs?request_id=${request}`)).json()) as { id: number }[];
  const id = records[0]!.id;

  await logIn(page, 'operator');
  await page.goto(`/console/activity/${id}?request=${request}`);
  await page.getByRole('button', { name: 'Undo this call' }).click();
  const question = page.getByRole('dialog', { name: 'Undo what this call changed?' });
  await expect(question.getByLabel('What would change')).toContainText('+first');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Undo this call' }).click();
  await expect(page.getByText('The change is undone.')).toBeVisible();
  await expect(page.getByText(/^Undone by record \d+$/)).toBeVisible();

  await gate.call('undo_agent', 'file_write', { path: name, content: 'third\n' });
  await page.reload();
  await page.getByRole('button', { name: 'Undo this call' }).click();
  await expect(question.getByLabel('What the call changed')).toContainText('+second');
  await expect(question.getByLabel('What has changed since')).toContainText('+third');
  await expect(question.getByRole('button', { name: 'Undo this call' })).toBeDisabled();
  const now = await gate.api.post('/api/v1/tools/execute', {
    data: {
      request_id: `${request}-read`,
      agent_id: 'undo_agent',
      tool_name: 'file_read',
      operation: 'read',
      parameters: { path: name },
    },
  });
  expect(await now.text()).toContain('third');
});
