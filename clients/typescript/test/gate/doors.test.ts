import { ChatSocket, ConnectionFailed, DeniedError, RemoteToolRouter, ToolFailed, Toolgate, ToolgateError, ToolsService, type ChatEvent } from '@toolgate/client';
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { admin, agentWith, answerNext, records, sessionOf } from './setup.ts';

const MODEL = { provider: 'openai', model: 'model-of-tests', api_key: 'sk-own-key-of-tests' };

suite('doors', { concurrency: 4 }, () => {
  test('a front end writes and reads a file', async () => {
    const { id, key } = await agentWith({ file_write: {}, file_read: {} });
    const tools = new ToolsService({ key });
    assert.equal((await tools.health()).service, 'tool-backend');
    assert.deepEqual((await tools.listTools()).map((tool) => tool.name).sort(), ['readFile', 'writeFile']);
    const written = await tools.executeTool('writeFile', { path: `./${id}.txt`, content: 'hello' }, { correlationId: `${id}-1` });
    assert.equal(written.correlationId, `${id}-1`);
    assert.equal(written.result.message, 'File written successfully');
    assert.equal((await tools.executeTool('readFile', { path: `./${id}.txt` })).result.content, 'hello');
    assert.equal((await records(id))[0]!.correlation_id, `${id}-1`);
  });

  test('a front end is told what it may not do, and what went wrong', async () => {
    const { id, key } = await agentWith({ file_read: {} });
    const tools = new ToolsService({ key });
    await assert.rejects(tools.executeTool('executeShellCommand', { command: 'ls' }), DeniedError);
    await assert.rejects(tools.executeTool('readFile', { path: `${id}.txt` }), (failure) => failure instanceof ToolFailed && failure.code === 'FILE_NOT_FOUND');
    await assert.rejects(tools.executeTool('readFile', { path: 'x', more: 1 } as never), { code: 'INVALID_ARGUMENT' });
  });

  test('an orchestrator names the agent that a front end acts as', async () => {
    const { id } = await agentWith({ file_list: {} });
    const tools = new ToolsService({ agent: id });
    assert.deepEqual((await tools.listTools()).map((tool) => tool.name), ['listFiles']);
  });

  test('a host runs the tools of its session and no others', async () => {
    const { id, key } = await agentWith({ file_list: {}, file_write: {} });
    const router = await RemoteToolRouter.connect({ key, session: await sessionOf(id, [{ name: 'File.Read' }]), workspace: 'ws_1' });
    const step = { taskId: 'task_1', stepId: 'step_1' };
    assert.deepEqual(router.getAvailableTools().map((tool) => tool.requiresCapability), ['File.Read']);
    const listed = await router.execute({ ...step, toolName: 'file_list', arguments: { path: '.' } });
    assert.deepEqual([listed.status, listed.stepId], ['succeeded', 'step_1']);
    const denied = await router.execute({ ...step, toolName: 'WriteFile', arguments: { path: `${id}.txt`, content: 'x' } });
    assert.deepEqual([denied.status, denied.error?.code], ['denied', 'CAPABILITY_DENIED']);
    const unknown = await router.execute({ ...step, sessionId: 'nowhere', toolName: 'file_list', arguments: {} });
    assert.equal(unknown.error?.code, 'SESSION_NOT_FOUND');
  });

  test('a host waits for an approval', async () => {
    const { id, key } = await agentWith({ file_list: {} });
    const session = await sessionOf(id, [{ name: 'File.Read', requiresApproval: true }]);
    const router = await RemoteToolRouter.connect({ key, session });
    const call = router.execute({ taskId: 't', stepId: 's', toolName: 'file_list', arguments: { path: '.' } });
    const [result] = await Promise.all([call, answerNext(id, true, 'fine')]);
    assert.equal(result.status, 'succeeded');
  });

  test('a host is told that the gate is gone by a result', async () => {
    const { id, key } = await agentWith({ file_list: {} });
    let gone = false;
    const failing: typeof fetch = (...request) => (gone ? Promise.reject(new TypeError('fetch failed')) : fetch(...request));
    const router = await RemoteToolRouter.connect({ key, session: await sessionOf(id, []), fetch: failing, maxRetries: 0 });
    gone = true;
    const result = await router.execute({ taskId: 't', stepId: 's', toolName: 'file_list', arguments: {} });
    assert.deepEqual([result.status, result.error?.code], ['failed', 'CONNECTION_FAILED']);
  });

  test('a conversation streams an answer and its history', async () => {
    const { id, key } = await agentWith({ file_list: {} });
    const chat = await ChatSocket.connect({ key });
    assert.equal(chat.status.agent_id, id);
    let text = '';
    let messages = 0;
    for await (const event of chat.send({ ...MODEL, content: 'Hello', include_messages: true })) {
      if (event.type === 'chat:text-delta') {
        text += event.payload.content;
      } else if (event.type === 'chat:stream-end') {
        messages = event.payload.messages!.length;
      }
    }
    chat.close();
    assert.equal(text, 'Hello, you.');
    assert.equal(messages, 2);
    await assert.rejects(chat.send({ ...MODEL, content: 'Hello' }).next(), ConnectionFailed);
  });

  for (const approved of [true, false]) {
    test(`a tool of a conversation is ${approved ? 'approved and runs' : 'refused and does not run'}`, async () => {
      const { id } = await agentWith({ file_list: {} });
      await admin.agents.update(id, { trust_level: 'supervised' });
      const chat = await ChatSocket.connect({ agent: id });
      assert.equal(chat.status.may_approve, true);
      const seen: ChatEvent['type'][] = [];
      const off = chat.onEvent((event) => seen.push(event.type));
      let status = '';
      for await (const event of chat.send({ ...MODEL, content: 'Please list the files' })) {
        if (event.type === 'chat:tool-confirm') {
          chat.approve(event.payload, approved, { reason: 'as the test wants it' });
        } else if (event.type === 'chat:tool-result') {
          status = event.payload.status;
        }
      }
      off();
      chat.close();
      assert.equal(status, approved ? 'success' : 'denied');
      assert.equal(seen.includes('chat:tool-start'), approved);
      assert.equal((await records(id)).filter((record) => record.status === 'COMPLETED').length, approved ? 1 : 0);
    });
  }

  test('an error of the gate ends a conversation as an error', async () => {
    const { key } = await agentWith({});
    const chat = await ChatSocket.connect({ key });
    const answer = chat.send({ ...MODEL, provider: 'nobody', content: 'Hello' });
    await assert.rejects(answer.next(), (failure) => failure instanceof ToolgateError && failure.code === 'INVALID_REQUEST');
    chat.close();
  });

  test('leaving a conversation cancels its answer', async () => {
    const { key } = await agentWith({});
    const chat = await ChatSocket.connect({ key });
    const ended = new Promise<boolean>((resolve) => {
      chat.onEvent((event) => event.type === 'chat:stream-end' && resolve(event.payload.partial));
    });
    for await (const event of chat.send({ ...MODEL, content: 'Hang on' })) {
      if (event.type === 'chat:text-delta') {
        break;
      }
    }
    assert.equal(await ended, true);
    chat.close();
  });

  test('a wrong key gets no socket', async () => {
    await assert.rejects(ChatSocket.connect({ key: 'tg_wrong' }), (failure) => failure instanceof ConnectionFailed && !failure.message.includes('tg_wrong'));
    await assert.rejects(new Toolgate({ key: 'tg_wrong' }).audit.list().all(), { code: 'UNAUTHORIZED' });
  });
});
