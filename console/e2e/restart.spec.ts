import { expect, logIn, test } from './gate';

const CONTROL = process.env['RESTARTABLE_CONTROL'] ?? '';

test.use({ baseURL: process.env['RESTARTABLE_URL'] ?? '' });

test('a gate that is restarted loses no draft, no typed reason, no answer', async ({ page, context, gate, request }) => {
  await gate.agent('restart_agent', []);
  const id = await gate.held('restart_asker', 'file_write', { path: 'restart.txt', content: 'x' });
  await logIn(page, 'operator');
  await page.goto('/console/access?agent=restart_agent&tool=file_list');
  await page.getByRole('grid', { name: 'Agents and tools' }).focus();
  await page.keyboard.press('Space');
  const draft = page.getByRole('region', { name: 'Draft' });
  await expect(draft).toContainText('Draft with 1 change');
  const inbox = await context.newPage();
  await inbox.goto(`/console/approvals?q=restart_asker&id=${id}`);
  await inbox.getByLabel('Reason').fill('typed before the restart');

  expect((await request.post(`${CONTROL}/stop`)).status()).toBe(200);
  await inbox.getByRole('button', { name: 'Deny' }).click();
  await expect(inbox.getByRole('alert').filter({ hasText: 'The answer was not accepted' })).toBeVisible();
  await expect(inbox.locator('.row').first(), 'nothing is shown as answered').not.toContainText('Denied');
  await expect(draft).toContainText('Draft with 1 change');
  expect((await request.post(`${CONTROL}/start`)).status()).toBe(200);

  await expect(inbox.getByLabel('Reason')).toHaveValue('typed before the restart');
  await inbox.getByRole('button', { name: 'Deny' }).click();
  await expect(inbox.locator('.row').first()).toContainText('Denied');
  const answered = (await gate.approval(id)) as unknown as { state: string; answer_reason: string };
  expect(answered).toMatchObject({ state: 'denied', answer_reason: 'typed before the restart' });
  await expect(draft).toContainText('Draft with 1 change');
  await draft.getByRole('button', { name: 'Apply 1 change' }).click();
  await expect(draft).toHaveCount(0);
  const granted = (await (await gate.api.get('/api/v1/permissions/restart_agent')).json()) as { permissions: unknown[] };
  expect(granted.permissions).toHaveLength(1);

  // The stream of changes is taken up again: a new request appears without a reload.
  await gate.held('restart_asker', 'file_write', { path: 'later.txt', content: 'x' });
  await expect(inbox.locator('.row')).toHaveCount(2, { timeout: 40_000 });
});
