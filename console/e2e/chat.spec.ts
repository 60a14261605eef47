import type { Page } from '@playwright/test';
import { expect, expectAccessible, logIn, test } from './gate';
import { ScriptedModel } from './model';

let model: ScriptedModel;
test.beforeAll(async () => {
  model = await ScriptedModel.start();
});
test.afterAll(() => model.close());

const address = (agent: string) => `/console/chat?agent=${agent}&provider=ollama&model=scripted`;

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

test('a conversation by keyboard, with a call that is approved in place', async ({ page, gate }) => {
  await gate.agent('chat_agent', [{ tool_name: 'file_write', allowed: true }]);
  model.does((out, messages) => {
    if (messages.at(-1)?.role === 'tool') {
      out.says({ content: 'Written. <img src=x onerror=alert(1)> \u202egnp' }).ends();
    } else {
      out.says({ thinking: 'I should write it down.' }).says({ content: 'I write it down.' });
      out.calls('call-1', 'file_write', { path: 'chat.txt', content: 'Tea at four.\n<b>bold</b>\n' }).ends();
    }
  });
  await logIn(page, 'admin');
  await page.goto(address('chat_agent'));
  await say(page, 'Note that tea is at four.');
  const call = page.getByRole('region', { name: 'file_write' });
  await expect(call).toContainText('Needs approval');
  await expect(call).toContainText('Tea at four.');
  await expectAccessible(page);
  await call.getByRole('button', { name: 'Approve' }).focus();
  await page.keyboard.press('Enter');
  await expect(call.getByText('approve once more')).toBeVisible();
  expect((await (await gate.api.get('/api/v1/audit/logs?agent_id=chat_agent')).json()) as unknown[]).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(call).toContainText('Done');
  const log = page.getByRole('log', { name: 'Conversation' });
  await expect(log).toContainText('Written. <img src=x onerror=alert(1)>');
  await expect(log.locator('.hidden-character').first()).toHaveText('U+202E');
  await expect(log.getByText('Thoughts')).toBeVisible();
  expect(await page.locator('main img[src="x"], main b').count()).toBe(0);
  const gauge = page.getByRole('region', { name: 'Use of the model' });
  await expect(gauge).toContainText('Tokens read2,400');
  await expect(gauge).toContainText('Requests to the model2');
  await expectAccessible(page);

  // The conversation goes on with what was said, also after another page was looked at.
  let heard: string[] = [];
  model.does((out, messages) => {
    heard = messages.map((message) => message.role);
    out.says({ content: 'As before.' }).ends();
  });
  await page.getByRole('link', { name: 'Its calls in the records' }).click();
  await expect(page.locator('a.record')).toHaveCount(1);
  await page.goBack();
  await say(page, 'And now?');
  await expect(log).toContainText('As before.');
  expect(heard).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
});

test('a denied call does not run, and the model is told', async ({ page, gate }) => {
  await gate.agent('denied_chat', [{ tool_name: 'file_write', allowed: true }]);
  model.does((out, messages) => {
    if (messages.at(-1)?.role === 'tool') {
      out.says({ content: 'Then not.' }).ends();
    } else {
      out.calls('call-1', 'file_write', { path: 'never.txt', content: 'x' }).ends();
    }
  });
  await logIn(page, 'admin');
  await page.goto(address('denied_chat'));
  await say(page, 'Write it.');
  const call = page.getByRole('region', { name: 'file_write' });
  await call.getByRole('button', { name: 'Deny' }).click();
  await expect(call).toContainText('Denied');
  await expect(page.getByRole('log')).toContainText('Then not.');
  const records = (await (await gate.api.get('/api/v1/audit/logs?agent_id=denied_chat')).json()) as { allowed: boolean }[];
  expect(records.map((each) => each.allowed)).toEqual([false]);
});

test('Stop ends an answer at the model too, and the next one follows', async ({ page, gate }) => {
  await gate.agent('stopped_chat', []);
  let gone = false;
  model.does((out) => {
    out.says({ content: 'This never ends' }).whenGone(() => (gone = true));
  });
  await logIn(page, 'admin');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(address('stopped_chat'));
  await say(page, 'Tell me a long story.');
  await expect(page.getByRole('log')).toContainText('This never ends');
  expect(gone).toBe(false);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('log')).toContainText('Stopped.');
  await expect.poll(() => gone).toBe(true);
  model.does((out) => out.says({ content: 'Short.' }).ends());
  await say(page, 'A short one.');
  await expect(page.getByRole('log')).toContainText('Short.');
  await expectAccessible(page);
});

test('a user chats as agents of the key, and leaves nothing to the next', async ({ page, gate }) => {
  model.does((out) => out.says({ content: 'Hello from the model.' }).ends());
  await logIn(page, 'user');
  await page.goto('/console/chat?provider=ollama&model=scripted');
  await expect(page.getByRole('combobox', { name: 'Agent' })).toHaveValue('agent_1');
  await say(page, 'Hello');
  await expect(page.getByRole('log')).toContainText('Hello from the model.');
  await gate.agent('not_of_the_user', []);
  await page.goto(address('not_of_the_user'));
  await say(page, 'Hello');
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('Key', { exact: true }).fill((JSON.parse(process.env['KEYS'] ?? '{}') as Record<string, string>)['admin'] ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Begin a conversation' })).toBeVisible();
});
