import { expect, expectAccessible, logIn, test, Gate } from './gate';

let number = 0;

/** A session that may read and write files, and its id. */
async function session(gate: Gate, agent: string, id = `session-${Date.now()}-${number++}`): Promise<string> {
  await gate.agent(agent, [
    { tool_name: 'file_list', allowed: true },
    { tool_name: 'file_write', allowed: true },
  ]);
  const made = await gate.api.post('/api/v1/sessions', {
    data: {
      agent_id: agent,
      policy_bundle: {
        policyBundleVersion: '1',
        schemaVersion: '1.0',
        tenantId: 'default',
        userId: 'ada',
        sessionId: id,
        expiresAt: new Date(Date.now() + 3600e3).toISOString(),
        capabilities: [
          { name: 'File.Read' },
          { name: 'File.Write', blockedPaths: ['secret/**'], maxFileSizeBytes: 2048 },
        ],
      },
    },
  });
  expect(made.status(), await made.text()).toBe(201);
  return id;
}

async function call(gate: Gate, agent: string, id: string, tool: string, parameters: Record<string, unknown>): Promise<void> {
  await gate.api.post('/api/v1/tools/execute', {
    data: {
      request_id: `${id}-${number++}`,
      agent_id: agent,
      session_id: id,
      tool_name: tool,
      operation: 'run',
      parameters,
    },
  });
}

test('a session is found by filters, and its calls are stepped through by keyboard', async ({ page, gate }) => {
  const id = await session(gate, 'session_agent');
  await call(gate, 'session_agent', id, 'file_list', { path: '.' });
  await call(gate, 'session_agent', id, 'file_write', { path: `${id}.txt`, content: 'one\n' });
  await call(gate, 'session_agent', id, 'bash', { command: 'ls' });
  const other = await session(gate, 'session_other');
  await gate.api.delete(`/api/v1/sessions/${other}`);
  await logIn(page, 'operator');
  await page.goto('/console/sessions');
  await page.getByRole('combobox', { name: 'Agent' }).fill('session_agent');
  await expect(page).toHaveURL(/agent=session_agent/);
  await expect(page.getByRole('link', { name: id })).toBeVisible();
  await expect(page.getByRole('link', { name: other })).toHaveCount(0);
  await page.goto('/console/sessions?status=ended&agent=session_other');
  await expect(page.getByRole('row', { name: new RegExp(other) })).toContainText('Ended');

  await page.goto(`/console/sessions/${id}`);
  const detail = page.getByRole('region', { name: 'Call', exact: true });
  await expect(detail.getByRole('heading', { name: 'file_list' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(detail.getByRole('heading', { name: 'file_write' })).toBeVisible();
  await expect(page.getByText('Call 2 of 3')).toBeVisible();
  await page.keyboard.press('End');
  await expect(detail.getByRole('heading', { name: 'bash' })).toBeVisible();
  await expect(detail).toContainText('Refused');
  await page.reload();
  await expect(detail.getByRole('heading', { name: 'bash' })).toBeVisible();
  await page.keyboard.press('ArrowLeft');
  await expect(detail.getByRole('heading', { name: 'file_write' })).toBeVisible();
  await expectAccessible(page);

  // Arrows in the tabs change tabs, not calls.
  await page.getByRole('tab', { name: 'Calls' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('Call 2 of 3')).toHaveCount(0);
  await expect(page.getByText('Never in these paths:')).toBeVisible();
  await expect(page.getByText('Files of at most 2 kB')).toBeVisible();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(page.locator('.difference .added').filter({ hasText: '+one' })).toBeVisible();
  await expectAccessible(page);
});

test('idle time between calls is compressed, and says how long it was', async ({ page, gate }) => {
  const id = await session(gate, 'idle_agent');
  await call(gate, 'idle_agent', id, 'file_list', { path: '.' });
  const [first] = (await (await gate.api.get(`/api/v1/audit/logs?session_id=${id}`)).json()) as Record<string, unknown>[];
  const at = (ms: number, record: number) => ({
    ...first,
    id: record,
    timestamp: new Date(Date.parse(String(first?.['timestamp'])) + ms).toISOString(),
    execution_time_ms: 1000,
  });
  await logIn(page, 'operator');
  // The records of two hours, which a test does not wait for; everything else is the server's.
  await page.route('**/api/v1/audit/logs?*', (route) =>
    route.fulfill({ json: [at(0, 1), at(2000, 2), at(3_603_000, 3), at(7_264_000, 4)] }),
  );
  await page.goto(`/console/sessions/${id}`);
  await expect(page.getByText('Call 1 of 4')).toBeVisible();
  await expect(page.locator('.row.idle')).toHaveText(['idle for 1 h', 'idle for 1 h 1 min']);
  const widths = await page.locator('.strip-gap').evaluateAll((gaps) => gaps.map((gap) => gap.getBoundingClientRect().width));
  const whole = await page.locator('.strip').evaluate((strip) => strip.getBoundingClientRect().width);
  expect(widths).toHaveLength(2);
  expect(Math.max(...widths)).toBeLessThan(whole / 10);
});

test('calls appear as they happen, and the export has all of them', async ({ page, gate }) => {
  const id = await session(gate, 'export_agent');
  await logIn(page, 'operator');
  await page.goto(`/console/sessions/${id}`);
  await expect(page.getByText('No calls yet')).toBeVisible();
  await call(gate, 'export_agent', id, 'file_list', { path: '.' });
  await expect(page.getByText('Call 1 of 1')).toBeVisible();
  await call(gate, 'export_agent', id, 'file_list', { path: 'nowhere' });
  await expect(page.getByText('Call 1 of 2')).toBeVisible();
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as JSON lines' }).click();
  const stream = await (await waiting).createReadStream();
  let text = '';
  for await (const part of stream) {
    text += String(part);
  }
  const records = text.trim().split('\n').map((line) => JSON.parse(line) as { session_id: string });
  expect(records.map((each) => each.session_id)).toEqual([id, id]);
});

test('a session is ended from its page, and its next call is refused', async ({ page, gate }) => {
  const id = await session(gate, 'ended_agent');
  await logIn(page, 'auditor');
  await page.goto(`/console/sessions/${id}`);
  await expect(page.getByRole('tab', { name: 'Limits' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'End the session' })).toHaveCount(0);
  await logIn(page, 'operator');
  await page.reload();
  await page.getByRole('button', { name: 'End the session' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('done');
  await dialog.getByRole('button', { name: 'End the session' }).click();
  await expect(page.getByText('Ended', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'End the session' })).toHaveCount(0);
  const refused = await gate.api.post('/api/v1/tools/execute', {
    data: {
      request_id: `after-${id}`,
      agent_id: 'ended_agent',
      session_id: id,
      tool_name: 'file_list',
      operation: 'run',
      parameters: {},
    },
  });
  expect(refused.ok()).toBe(false);
});

test('hostile text in sessions is text, on small screens too', async ({ page, gate }) => {
  const id = await session(gate, `evil<b>\u202e"'runner`, `evil<i>"'session-${Date.now()}`);
  await call(gate, `evil<b>\u202e"'runner`, id, 'file_write', { path: '<img src=x onerror="alert(1)">\u202e', content: '<script>alert(2)</script>' });
  await logIn(page, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });
  const address = `/console/sessions/${encodeURIComponent(id)}`;
  for (const each of [address, `${address}?tab=limits`, `${address}?tab=files`, '/console/sessions']) {
    await page.goto(each);
    await expect(page.locator('main h1')).toBeVisible();
    await expect(page.locator('main .hidden-character').first()).toBeVisible();
    expect(await page.locator('main img[src="x"], main script, main b, main i').count(), each).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), each).toBeLessThanOrEqual(0);
  }
});
