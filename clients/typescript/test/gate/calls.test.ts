import {
  ApprovalDenied,
  ApprovalPending,
  ApprovalTimeout,
  AuthenticationError,
  ConnectionFailed,
  DeniedError,
  GatedAgent,
  RateLimited,
  ToolFailed,
  Toolgate,
} from '@toolgate/client';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, connect, type AddressInfo } from 'node:net';
import { suite, test } from 'node:test';
import { closedPort } from '../local-server.ts';
import { admin, agentWith, answerNext, eventually, records, sessionOf, url } from './setup.ts';

// Another gate on the same database, where approvals expire after a second and few refused calls are allowed.
const strictUrl = process.env['STRICT_URL'] ?? assert.fail('STRICT_URL is not set');

/** A proxy to the gate that drops responses, with their connections, when `lost` returns true. */
async function wayToGate(t: { after(close: () => unknown): void }, lost: () => boolean): Promise<string> {
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1');
    client.pipe(server);
    server.on('data', (bytes) => (lost() ? client.destroy() : client.write(bytes)));
    client.on('close', () => server.destroy()).on('error', () => undefined);
    server.on('close', () => client.destroy()).on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  t.after(() => proxy.close());
  await new Promise((resolve) => proxy.once('listening', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

suite('calls', { concurrency: 4 }, () => {
  test('an allowed call runs and is on record', async () => {
    const { id, gate } = await agentWith({ file_write: {}, file_read: {} });
    await gate.execute('file_write', { path: `${id}.txt`, content: 'hello' }, { operation: 'write', project: 'p1' });
    const result = await gate.execute('file_read', { path: `${id}.txt` });
    assert.equal(result.success, true);
    assert.equal(result.logged, true);
    assert.match(result.data, /hello/);
    const [write, read] = await records(id);
    assert.deepEqual([write!.operation, write!.project_id, write!.status], ['write', 'p1', 'COMPLETED']);
    assert.equal(read!.request_id, result.requestId);
  });

  test('a denied call says what is allowed and changes nothing', async () => {
    const { id, gate } = await agentWith({ file_list: {}, file_read: {} });
    const path = `${id}.txt`;
    const failure = await gate.execute('file_write', { path, content: 'x' }).catch((reason: unknown) => reason);
    assert.ok(failure instanceof DeniedError);
    assert.equal(failure.violationType, 'permission_denied');
    assert.deepEqual([...failure.allowedTools].sort(), ['file_list', 'file_read']);
    assert.match(failure.suggestion, /ask an operator to grant 'file_write'/);
    assert.ok(failure.correlationId);
    const outcome = await gate.submit('file_write', { path, content: 'x' });
    assert.equal(outcome.outcome, 'refused');
    assert.deepEqual((await records(id)).map((record) => record.status), ['REFUSED', 'REFUSED']);
    await assert.rejects(gate.execute('file_read', { path }), (missing) => missing instanceof ToolFailed && missing.code === 'FILE_NOT_FOUND');
  });

  test('a critical refusal is escalated and the call made again', async () => {
    const { id, gate } = await agentWith({});
    const agent = new GatedAgent(gate, id, async (denied) => {
      assert.equal(denied.violationType, 'permission_denied');
      await admin.permissions.grant(id, 'file_list', {}, { reason: 'escalated' });
      return true;
    });
    const result = await agent.use('file_list', { path: '.' }, { critical: true });
    assert.equal(result.outcome, 'completed');
    assert.deepEqual((await records(id)).map((record) => record.status), ['REFUSED', 'COMPLETED']);
    assert.deepEqual(await agent.availableTools(), ['file_list']);
  });

  test('a held call runs once it is approved', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    const [result, approval] = await Promise.all([gate.execute('file_list', { path: '.' }), answerNext(id, true, 'only lists')]);
    assert.equal(result.outcome, 'completed');
    assert.equal(approval.state, 'approved');
    const [record] = await records(id);
    assert.equal(record!.approval_reason, 'only lists');
  });

  test('a held call that is refused does not run', async () => {
    const { id, gate } = await agentWith({ file_write: { requires_approval: true }, file_read: {} });
    const call = gate.execute('file_write', { path: `${id}.txt`, content: 'x' });
    const [failure] = await Promise.all([call.catch((reason: unknown) => reason), answerNext(id, false, 'not today')]);
    assert.ok(failure instanceof ApprovalDenied);
    assert.match(failure.reason, /not today/);
    await assert.rejects(gate.execute('file_read', { path: `${id}.txt` }), { code: 'FILE_NOT_FOUND' });
  });

  test('a held call that nobody answers times out', async () => {
    const { id, key } = await agentWith({ file_list: { requires_approval: true } });
    await assert.rejects(new Toolgate({ url: strictUrl, key, agent: id }).execute('file_list', { path: '.' }), ApprovalTimeout);
  });

  test('a caller that does not wait collects the outcome later', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    const pending = await gate.execute('file_list', { path: '.' }, { wait: 0 }).catch((reason: unknown) => reason);
    assert.ok(pending instanceof ApprovalPending);
    const held = await admin.approvals.get(pending.approvalId!);
    assert.equal(held.request_id, pending.requestId);
    await answerNext(id, true, 'fine');
    assert.equal((await gate.collect(pending.requestId!, { wait: 60_000 })).outcome, 'completed');
  });

  test('a repeated id runs nothing again', async () => {
    const { id, gate } = await agentWith({ file_list: {} });
    const requestId = randomUUID();
    const first = await gate.execute('file_list', { path: '.' }, { requestId });
    assert.deepEqual((await gate.execute('file_list', { path: '.' }, { requestId })).raw, first.raw);
    await assert.rejects(gate.execute('file_list', { path: 'elsewhere' }, { requestId }), { code: 'REQUEST_ID_TAKEN', retryable: false });
    assert.equal((await records(id)).filter((record) => record.request_id === requestId).length, 1);
  });

  test('too many refused calls are limited, with the time to wait', async () => {
    const { id, key } = await agentWith({});
    const gate = new Toolgate({ url: strictUrl, key, agent: id, maxRetries: 0 });
    const limited = await eventually(async () => {
      const reason: unknown = await gate.submit('file_list', { path: '.' }).then(() => undefined, (failure: unknown) => failure);
      return reason;
    });
    assert.ok(limited instanceof RateLimited);
    assert.ok(limited.retryAfter! >= 1);
    assert.equal(limited.retryable, true);
  });

  test('a call whose answer is lost on the way runs once', async (t) => {
    const { id, key, gate } = await agentWith({ file_list: {} });
    let answers = 0;
    const through = new Toolgate({ url: await wayToGate(t, () => ++answers === 1), key, agent: id });
    const result = await through.execute('file_list', { path: '.' });
    assert.ok(answers >= 2, 'the first answer was lost');
    assert.equal((await gate.collect(result.requestId)).outcome, 'completed');
    assert.equal((await records(id)).length, 1);
  });

  test('a held call outlives a gate that cannot be reached for a while', async (t) => {
    const { id, key } = await agentWith({ file_list: { requires_approval: true } });
    let gone = false;
    const answers = { passed: 0, lost: 0 };
    const way = await wayToGate(t, () => {
      answers[gone ? 'lost' : 'passed']++;
      return gone;
    });
    const call = new Toolgate({ url: way, key, agent: id, maxRetries: 0 }).execute('file_list', { path: '.' });
    await eventually(async () => (answers.passed >= 3 ? true : undefined)); // an answer has at most two pieces, so the client waits
    gone = true;
    await eventually(async () => (answers.lost >= 3 ? true : undefined));
    await answerNext(id, true, 'fine');
    gone = false;
    assert.equal((await call).outcome, 'completed');
    assert.equal((await records(id)).length, 1);
  });

  test('a gate that is gone runs nothing', async () => {
    const gone = new Toolgate({ url: await closedPort(), agent: 'a', maxRetries: 0 });
    let ran = false;
    const run = gone.authorize('deploy', {}).then((permit) => permit.run(() => (ran = true)));
    await assert.rejects(run, ConnectionFailed);
    assert.equal(ran, false);
  });

  test('a session limits the calls of a client', async () => {
    const { id, key } = await agentWith({ file_list: {}, file_write: {} });
    const session = await sessionOf(id, [{ name: 'File.Read' }]);
    const gate = new Toolgate({ key, agent: id, session });
    assert.equal((await gate.execute('file_list', { path: '.' })).outcome, 'completed');
    await assert.rejects(gate.execute('file_write', { path: 'x', content: 'x' }), { violationType: 'capability_denied' });
    await admin.sessions.end(session);
    await assert.rejects(gate.execute('file_list', { path: '.' }), { violationType: 'session_expired' });
  });

  test('the tools of an agent are its own, whoever asks', async () => {
    const { id, gate } = await agentWith({ file_list: {} });
    assert.deepEqual((await gate.tools()).map((tool) => tool.name), ['file_list']);
    assert.deepEqual((await admin.tools({ agent: id })).map((tool) => tool.name), ['file_list']);
    assert.ok((await admin.tools()).length > 1);
  });

  test('a validation says what would happen and records nothing', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    const [held, denied] = [await gate.validate('file_list', { path: '.' }), await gate.validate('bash')];
    assert.deepEqual([held.allowed, held.allowed && held.requiresApproval], [true, true]);
    assert.ok(!denied.allowed);
    assert.deepEqual(denied.allowedTools, ['file_list']);
    assert.deepEqual(await records(id), []);
  });

  test('a revoked key is refused', async () => {
    const { id, key, gate } = await agentWith({ file_list: {} });
    for await (const each of admin.keys.list({ limit: 500 })) {
      if (each.agent_id === id) {
        await admin.keys.revoke(each.key_id, { reason: 'done' });
      }
    }
    await assert.rejects(gate.execute('file_list', { path: '.' }), (failure) => failure instanceof AuthenticationError && !failure.message.includes(key));
  });
});
