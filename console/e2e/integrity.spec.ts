import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, logIn, test } from './gate';

const HOSTILE = { path: 'q"\\ \u0001\u001f\u007f\u2028\t/é😀\u202e<b>', n: [1.5, 100, 0, -12.25, 1e-7, 1234567.125], é: { Z: null, a: true } };

async function check(page: Page, name: string, content: Buffer): Promise<void> {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/jsonl', buffer: content });
}

test('an exported chain is checked in the browser, and tampering is found', async ({ page, gate }) => {
  await gate.agent('chain_agent', [{ tool_name: 'file_list', allowed: true }]);
  await gate.call('chain_agent', 'file_delete', HOSTILE);
  await gate.call('chain_agent', 'file_list', { path: '.' });
  await gate.call('chain_agent', 'file_delete', { path: 'last' });
  const whole = await (await gate.api.get('/api/v1/audit/chains')).text();
  const lines = whole.trimEnd().split('\n');
  const at = lines.findIndex((line) => line.includes('"chain_agent"') && line.includes('"tool_name":"file_delete"'));
  const sequence = (JSON.parse(lines[at]!) as { sequence: number }).sequence.toLocaleString('en-US');
  expect(lines[at]).toContain('"allowed":false');
  await logIn(page, 'auditor');
  await page.goto('/console/integrity');
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));

  const file = page.getByRole('region', { name: 'Check a file' });
  await check(page, 'whole.jsonl', Buffer.from(whole));
  await expect(file.getByText('The file is unchanged')).toBeVisible();
  await check(page, 'packed.jsonl.gz', gzipSync(whole));
  await expect(file.getByText('packed.jsonl.gz')).toBeVisible();
  await expect(file.getByText('The file is unchanged')).toBeVisible();

  const tampered: [string, string, string[]][] = [
    ['a decision is changed', 'Changed', lines.with(at, lines[at]!.replace('"allowed":false', '"allowed":true'))],
    ['an argument is changed', 'Changed', lines.with(at, lines[at]!.replace('1234567.125', '1234567.126'))],
    ['a type is changed', 'Changed', lines.with(at, lines[at]!.replace('"allowed":false', '"allowed":"false"'))],
    ['a field is added', 'Changed', lines.with(at, lines[at]!.replace('"kind":"call"', '"kind":"call","note":"x"'))],
    ['a record is removed', 'Removed', lines.filter((_, line) => line !== at)],
    ['records are swapped', 'Out of order', lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!)],
    ['the last record is removed', 'Removed', lines.filter((_, line) => line !== lines.length - 2)],
  ];
  for (const [what, kind, changed] of tampered) {
    expect(changed.join('\n'), what).not.toBe(lines.join('\n'));
    await check(page, `${what}.jsonl`, Buffer.from(`${changed.join('\n')}\n`));
    await expect(file.getByText(`${what}.jsonl`), what).toBeVisible();
    await expect(file.getByRole('cell', { name: kind, exact: true }).first(), what).toBeVisible();
    await expect(file.getByText('The file is unchanged'), what).toHaveCount(0);
    if (kind === 'Changed') {
      await expect(file.getByRole('cell', { name: sequence, exact: true }), what).toBeVisible();
    }
  }
  await expectAccessible(page);
  await check(page, 'cut.jsonl', Buffer.from(`${lines.slice(0, -1).join('\n')}\n`));
  await expect(file.getByText('The file ends too early')).toBeVisible();
  await check(page, '<b>none</b>.txt', Buffer.from('no export at all'));
  await expect(file.getByText('The file is not an export of chains')).toBeVisible();
  expect(await page.locator('main b').count()).toBe(0);
  expect(sent, 'the file was sent nowhere').toEqual([]);
});

test('the log is verified by keyboard, only by those who may read it all', async ({ page }) => {
  await logIn(page, 'auditor');
  await page.goto('/console/integrity');
  await page.getByRole('button', { name: 'Verify now' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('The log is unchanged')).toBeVisible();
  await expect(page.getByText(/[1-9][0-9,]* records were verified/)).toBeVisible();
  await page.context().clearCookies();
  await logIn(page, 'operator');
  await page.goto('/console/integrity');
  await page.getByRole('button', { name: 'Verify now' }).click();
  await expect(page.getByText('lacks the right read_whole_audit').first()).toBeVisible();
  expect((await page.request.get('/api/v1/audit/chains')).status()).toBe(403);
});
