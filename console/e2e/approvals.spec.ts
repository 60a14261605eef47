import { expect, Gate, KEYS, logIn, test } from './gate';

test('a journey by keyboard: log in, go to the approvals, approve a dangerous call twice, deny another', async ({
  page,
  gate,
}) => {
  const first = await gate.held('keyboard_agent', 'bash', { command: 'echo first' });
  const second = await gate.held('keyboard_agent', 'bash', { command: 'echo second' });
  await page.goto('/console/');
  await expect(page.getByLabel('Key', { exact: true })).toBeFocused();
  await page.keyboard.type(KEYS['operator'] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Next and previous request');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await expect(page.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible();
  await expect(page.locator('.row-button').first()).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('keyboard_agent');
  await page.keyboard.press('Tab');
  await expect(page.locator('.row-button')).toHaveCount(2);
  await page.locator('.row-button').first().focus();
  await page.keyboard.press('j');
  await expect(page.locator('.pane-detail')).toContainText('echo first');
  await expect(page.getByRole('button', { name: 'Approve' }), 'all arguments have come').toBeEnabled();
  await page.keyboard.press('a');
  await expect(page.getByText('once more to approve')).toBeVisible();
  expect((await gate.approval(first)).state).toBe('pending');
  await page.keyboard.press('a');
  await expect(page.locator('.row').first()).toContainText('Approved');
  expect((await gate.approval(first)).state).toBe('approved');
  await page.keyboard.press('j');
  await expect(page.locator('.pane-detail')).toContainText('echo second');
  await page.keyboard.press('d');
  await expect(page.locator('.row').nth(1)).toContainText('Denied');
  expect((await gate.approval(second)).state).toBe('denied');
});

test('a new request appears, and one answered elsewhere keeps its place and says so', async ({ page, gate }) => {
  const early = await gate.held('live_agent', 'file_write', { path: 'early.txt', content: 'x' });
  await logIn(page, 'operator');
  await page.goto(`/console/approvals?q=live_agent&id=${early}`);
  await expect(page.locator('.row')).toHaveCount(1);
  await gate.held('live_agent', 'file_write', { path: 'late.txt', content: 'x' });
  await expect(page.locator('.row')).toHaveCount(2);
  await gate.api.post(`/api/v1/approvals/${early}`, { data: { approved: false, reason: 'not today' } });
  await expect(page.locator('.row').first()).toContainText('Denied');
  await expect(page.locator('.pane-detail')).toContainText('not today');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  await expect(page.locator('.row')).toHaveCount(2);
});

test('of two approvers the second is told who was first', async ({ page, gate }) => {
  const id = await gate.held('raced_agent', 'file_write', { path: 'raced.txt', content: 'x' });
  await logIn(page, 'operator');
  // This browser hears of nothing, as on a slow connection.
  await page.route('**/api/v1/console/events', (route) => route.abort());
  await page.goto(`/console/approvals?q=raced_agent&id=${id}`);
  await expect(page.getByRole('button', { name: 'Deny' })).toBeVisible();
  await gate.api.post(`/api/v1/approvals/${id}`, { data: { approved: false, reason: 'first' } });
  const winner = (await gate.approval(id)).answered_by ?? '?';
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('button', { name: 'Approve: sure?' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Somebody was first' })).toContainText(winner);
  await expect(page.locator('.row').first()).toContainText('Denied');
  expect((await gate.approval(id)).state).toBe('denied');
});

test('of two people who answer at the same moment one counts, and both see whose', async ({ page, gate, browser, baseURL }) => {
  const id = await gate.held('simultaneous_agent', 'file_write', { path: 'simultaneous.txt', content: 'x' });
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' });
  const other = await elsewhere.newPage();
  await logIn(page, 'operator');
  await logIn(other, 'admin');
  for (const each of [page, other]) {
    await each.goto(`/console/approvals?q=simultaneous_agent&id=${id}`);
    await expect(each.getByRole('button', { name: 'Deny' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Approve' }).click();
  await Promise.all([
    page.getByRole('button', { name: 'Approve: sure?' }).click(),
    other.getByRole('button', { name: 'Deny' }).click(),
  ]);
  await expect.poll(async () => (await gate.approval(id)).state).toMatch(/approved|denied/);
  const { state, answered_by: by } = await gate.approval(id);
  for (const each of [page, other]) {
    await expect(each.locator('.row').first()).toContainText(state === 'approved' ? 'Approved' : 'Denied');
    await expect(each.locator('.pane-detail')).toContainText(by ?? '?');
  }
  await elsewhere.close();
});

test('several are approved together only for one tool and after each was opened', async ({ page, gate }) => {
  const ids = [
    await gate.held('several_agent', 'file_write', { path: '1.txt', content: 'x' }),
    await gate.held('several_agent', 'file_write', { path: '2.txt', content: 'x' }),
  ];
  await gate.held('several_agent', 'bash', { command: 'true' });
  await logIn(page, 'operator');
  await page.goto('/console/approvals?q=several_agent');
  const boxes = page.locator('.pane-list').getByRole('checkbox');
  await expect(boxes).toHaveCount(3);
  for (const each of await boxes.all()) {
    await each.check();
  }
  await expect(page.getByText('Only requests for the same tool')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve 3' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select bash by several_agent' }).uncheck();
  await expect(page.getByRole('button', { name: 'Approve 2' })).toBeDisabled();
  for (const id of ids) {
    await page.locator(`[data-id="${id}"]`).click();
    await expect(page.locator('.pane-detail h2')).toContainText('file_write');
  }
  await page.getByRole('button', { name: 'Approve 2' }).click();
  await expect(page.locator('.row').filter({ hasText: 'Approved' })).toHaveCount(2);
  for (const id of ids) {
    expect((await gate.approval(id)).state).toBe('approved');
  }
});

test('seven tabs hear of a new request over one stream', async ({ context, gate }) => {
  test.setTimeout(90_000);
  let streams = 0;
  context.on('request', (sent) => {
    streams += sent.url().endsWith('/console/events') ? 1 : 0;
  });
  const pages = [];
  for (let tab = 0; tab < 7; tab++) {
    const page = await context.newPage();
    if (tab === 0) {
      await logIn(page, 'operator');
    }
    await page.goto('/console/approvals?q=tabs_agent');
    await expect(page.getByRole('heading', { level: 1, name: 'Approvals' })).toBeVisible();
    pages.push(page);
  }
  await gate.held('tabs_agent', 'file_write', { path: 'tabs.txt', content: 'x' });
  for (const page of pages) {
    await expect(page.locator('.row')).toHaveCount(1);
  }
  expect(streams).toBe(1);
});

test('a key that is revoked while its page is open ends the log-in and keeps what was typed', async ({ page, gate }) => {
  const id = await gate.held('revoked_agent', 'file_write', { path: 'revoked.txt', content: 'x' });
  const made = (await (
    await gate.api.post('/api/v1/keys', { data: { role: 'operator', name: 'short-lived' } })
  ).json()) as { key: string; key_id: string };
  await page.request.post('/api/v1/console/session', { data: { key: made.key } });
  await page.goto(`/console/approvals?q=revoked_agent&id=${id}`);
  await page.getByLabel('Reason').fill('a long reason that must not be lost');
  await gate.api.delete(`/api/v1/keys/${made.key_id}`);
  const dialog = page.getByRole('dialog', { name: 'Your log-in has ended' });
  await expect(dialog).toBeVisible({ timeout: 30_000 });
  await dialog.getByLabel('Key', { exact: true }).fill(KEYS['operator'] ?? '');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByLabel('Reason')).toHaveValue('a long reason that must not be lost');
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.locator('.row').first()).toContainText('Denied');
});

test('an auditor sees requests and cannot answer them', async ({ page, gate, baseURL }) => {
  const id = await gate.held('audited_agent', 'file_write', { path: 'audited.txt', content: 'x' });
  await logIn(page, 'auditor');
  await page.goto(`/console/approvals?q=audited_agent&id=${id}`);
  await expect(page.getByRole('heading', { name: 'Arguments' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
  const auditor = await Gate.as('auditor', baseURL ?? '');
  expect((await auditor.api.post(`/api/v1/approvals/${id}`, { data: { approved: true } })).status()).toBe(403);
  await auditor.api.dispose();
});

test('the second key of a sequence goes to a page and answers nothing', async ({ page, gate }) => {
  const id = await gate.held('sequence_agent', 'file_write', { path: 'sequence.txt', content: 'x' });
  await logIn(page, 'operator');
  await page.goto(`/console/approvals?q=sequence_agent&id=${id}`);
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await page.locator('.row-button').first().focus();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible();
  expect((await gate.approval(id)).state).toBe('pending');
});

test('a request that expires while it is open says so', async ({ page, gate }) => {
  const id = await gate.held('expiring_agent', 'file_write', { path: 'expiring.txt', content: 'x' });
  await logIn(page, 'operator');
  // Nobody waits for minutes: the browser is shown the list of the time after it.
  let over = false;
  await page.route('**/api/v1/approvals?state=pending*', (route) => (over ? route.fulfill({ json: [] }) : route.continue()));
  await page.route(`**/api/v1/approvals/${id}`, async (route) => {
    const answered = await route.fetch();
    const approval = (await answered.json()) as Record<string, unknown>;
    await route.fulfill({ json: over ? { ...approval, state: 'timed_out' } : approval });
  });
  await page.goto(`/console/approvals?q=expiring_agent&id=${id}`);
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  over = true;
  await gate.held('expiring_agent', 'bash', { command: 'true' }); // makes the page read the list
  await expect(page.locator('.row').first()).toContainText('Expired');
  await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
});
