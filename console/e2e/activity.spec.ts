import { expect, expectAccessible, logIn, test } from './gate';

test('facets, chips and periods are the address, by keyboard and by dragging', async ({ page, gate }) => {
  await gate.agent('facet_agent', [{ tool_name: 'file_list', allowed: true }]);
  for (let call = 0; call < 3; call++) {
    await gate.call('facet_agent', 'file_list', { path: '.' });
    await gate.call('facet_agent', 'file_delete', { path: `<b>${call}</b>` });
  }
  await logIn(page, 'auditor');
  await page.goto('/console/activity?agent_id=facet_agent');
  await expect(page.getByRole('img', { name: /^6 records in this period, 3 of them refused/ })).toBeVisible();
  const refused = page.getByRole('button', { name: 'Refused 3' });
  await refused.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/status=REFUSED/);
  await expect(page.locator('a.record')).toHaveCount(3);
  await page.reload();
  await expect(page.locator('a.record')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Refused 3' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Remove the filter Outcome' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/status=/);
  await expect(page.locator('a.record')).toHaveCount(6);

  await page.getByRole('button', { name: 'Zoom out' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/start_date=.*end_date=/);
  const wide = new URL(page.url()).searchParams;
  await expect(page.getByRole('img', { name: /^6 records in this period/ })).toBeVisible();
  const plot = page.locator('.histogram .u-over');
  await plot.hover({ position: { x: 40, y: 20 } });
  const { x, y, width } = (await plot.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x + width * 0.4, y + 20, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => new URL(page.url()).searchParams.get('end_date')).not.toBe(wide.get('end_date'));
  const chosen = new URL(page.url()).searchParams;
  expect(Date.parse(chosen.get('end_date')!)).toBeLessThan(Date.parse(wide.get('end_date')!));
  expect(Date.parse(chosen.get('start_date')!)).toBeGreaterThanOrEqual(Date.parse(wide.get('start_date')!) - 86_400e3);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/console/activity?agent_id=facet_agent');
  await page.getByText('Most frequent values').click();
  await expect(page.getByRole('button', { name: 'Refused 3' })).toBeVisible();
  await expectAccessible(page);
});

test('a record that comes while somebody drags does not end the drag', async ({ page, gate }) => {
  await gate.agent('drag_agent', []);
  await gate.call('drag_agent', 'file_list', { path: 'one' });
  await logIn(page, 'auditor');
  await page.goto('/console/activity?agent_id=drag_agent&since=1h');
  await expect(page.getByRole('img', { name: /^1 records in/ })).toBeVisible();
  const plot = page.locator('.histogram .u-over');
  await plot.hover({ position: { x: 60, y: 20 } });
  const { x, y, width } = (await plot.boundingBox())!;
  await page.mouse.down();
  await page.mouse.move(x + width * 0.3, y + 20, { steps: 4 });
  await gate.call('drag_agent', 'file_list', { path: 'two' });
  await expect(page.getByRole('img', { name: /^2 records in/ })).toBeVisible();
  await page.mouse.move(x + width * 0.5, y + 20, { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/start_date=.*end_date=/);
});

test('live pauses while somebody scrolls, and says how many are new', async ({ page, gate }) => {
  await gate.agent('scroll_agent', []);
  for (let call = 0; call < 25; call++) {
    await gate.call('scroll_agent', 'file_list', { path: `${call}` });
  }
  await page.setViewportSize({ width: 1440, height: 500 });
  await logIn(page, 'admin');
  await page.goto('/console/activity?agent_id=scroll_agent');
  await expect(page.locator('a.record')).toHaveCount(25);
  await page.mouse.move(900, 400);
  await page.mouse.wheel(0, 700);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  await gate.call('scroll_agent', 'file_list', { path: 'new 1' });
  await gate.call('scroll_agent', 'file_list', { path: 'new 2' });
  const fresh = page.getByRole('button', { name: 'Live is paused while you scroll: 2 new, show' });
  await expect(fresh).toBeInViewport();
  await expect(page.locator('a.record')).toHaveCount(25);
  await fresh.click();
  await expect(page.locator('a.record')).toHaveCount(27);
});

test('an older window of the records is an address that leads back', async ({ page, gate }) => {
  await gate.agent('window_agent', []);
  for (let call = 0; call < 4; call++) {
    await gate.call('window_agent', 'file_list', { path: `${call}` });
  }
  const newest = await gate.api.get('/api/v1/audit/logs?agent_id=window_agent&limit=2');
  const cursor = /[?&]page=([^&>]+)/.exec(newest.headers()['link'] ?? '')?.[1] ?? '';
  const older = (await (await gate.api.get(`/api/v1/audit/logs?agent_id=window_agent&page=${cursor}`)).json()) as { id: number }[];
  await logIn(page, 'admin');
  await page.goto(`/console/activity?agent_id=window_agent&page=${cursor}`);
  await expect(page.getByText('Older records are shown')).toBeVisible();
  await expect(page.locator('a.record')).toHaveCount(2);
  await expect(page.locator('a.record').first()).toHaveAttribute('data-record', String(older[0]!.id));
  await page.getByRole('button', { name: 'Back to the newest' }).click();
  await expect(page.locator('a.record')).toHaveCount(4);
});

test('what is downloaded is what is filtered', async ({ page, gate }) => {
  await gate.agent('export_agent', []);
  await gate.call('export_agent', 'file_list', { path: 'one' });
  await gate.call('export_agent', 'file_delete', { path: 'two' });
  await logIn(page, 'admin');
  await page.goto('/console/activity?agent_id=export_agent&tool_name=file_delete&status=REFUSED');
  await expect(page.locator('a.record')).toHaveCount(1);
  await page.getByRole('button', { name: 'Download' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: /^JSON lines/ }).click(),
  ]);
  const lines = (await import('node:fs')).readFileSync((await download.path())!, 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { tool_name: string }).tool_name)).toEqual(['file_delete']);
});
