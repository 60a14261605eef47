import { DeniedError, Toolgate, ToolgateError } from '@toolgate/client';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { admin, agentWith, answerNext, externalTool, records } from './setup.ts';

suite('resources', { concurrency: 4 }, () => {
  test('agents are created, listed page by page, changed and deleted', async () => {
    const word = randomUUID();
    for (const number of [1, 2, 3]) {
      await admin.agents.create({ agent_id: `${word}-${number}` });
    }
    const pages = [];
    for await (const page of admin.agents.list({ q: word, limit: 2 }).pages()) {
      pages.push(page.map((agent) => agent.agent_id.slice(-1)).join());
    }
    assert.deepEqual(pages, ['1,2', '3']);
    assert.equal((await admin.agents.update(`${word}-1`, { name: 'One' })).name, 'One');
    await admin.agents.delete(`${word}-1`, { reason: 'done' });
    await assert.rejects(admin.agents.get(`${word}-1`), (failure) => failure instanceof ToolgateError && !failure.retryable);
  });

  test('permissions are granted, refused and cleared', async () => {
    const { id } = await agentWith({});
    const granted = await admin.permissions.grant(id, 'file_list', { max_uses: 3 }, { reason: 'to try it' });
    assert.equal(granted.max_uses, 3);
    assert.equal((await admin.permissions.refuse(id, 'bash')).allowed, false);
    const states = (await admin.permissions.get(id)).permissions.map((each) => [each.tool_name, each.allowed]);
    assert.deepEqual(states.sort(), [['bash', false], ['file_list', true]]);
    await admin.permissions.clear(id, 'bash');
    const changes = await admin.permissions.changes({ agent_id: id, tool_name: 'bash', limit: 1 }).all();
    assert.equal(changes.length, 2);
  });

  test('permissions of an agent with the name of a path are read', async () => {
    await admin.permissions.grant('matrix', 'file_list');
    const found = await admin.permissions.get('matrix');
    assert.deepEqual([found.agent_id, found.permissions.map((each) => each.tool_name)], ['matrix', ['file_list']]);
  });

  test('approvals are listed, and a standing one is revoked', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    await gate.submit('file_list', { path: '.' });
    const [approval] = await admin.approvals.list({ state: 'pending', agent_id: id }).all();
    await admin.approvals.approve(approval!.approval_id, { scope: 'agent', reason: 'trusted', expiresAt: '2099-01-01T00:00:00Z' });
    assert.equal((await gate.execute('file_list', { path: '.' })).outcome, 'completed');
    const standing = (await admin.approvals.standing().all()).filter((each) => each.agent_id === id);
    assert.equal(standing.length, 1);
    await admin.approvals.revokeStanding(standing[0]!.standing_id);
    assert.equal((await gate.submit('file_list', { path: '.' })).outcome, 'pending');
  });

  test('a stream of approvals tells of requests and answers', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    const seen: string[] = [];
    const call = gate.execute('file_list', { path: '.' }).catch(() => undefined);
    for await (const { event, approval } of admin.approvals.stream()) {
      if (approval.agent_id === id) {
        seen.push(`${event} ${approval.state}`);
        if (event === 'answered') {
          break;
        }
        await admin.approvals.deny(approval.approval_id);
      }
    }
    await call;
    assert.deepEqual(seen, ['opened pending', 'answered denied']);
  });

  test('an agent does not answer its own request', async () => {
    const { id, gate } = await agentWith({ file_list: { requires_approval: true } });
    const pending = await gate.submit('file_list', { path: '.' });
    assert.equal(pending.outcome, 'pending');
    const approval = pending.outcome === 'pending' ? pending.approvalId! : '';
    await assert.rejects(gate.approvals.approve(approval), DeniedError);
    assert.equal((await admin.approvals.get(approval)).state, 'pending');
    await answerNext(id, false, 'ended by the test');
  });

  test('records are listed, streamed from where one left off, and exported', async () => {
    const { id, gate } = await agentWith({ file_list: {} });
    const stream = admin.audit.stream({ agent_id: id });
    const first = stream.next();
    // Records written before the stream is open are not seen.
    const running = new AbortController();
    const calls = (async () => {
      while (!running.signal.aborted) {
        await gate.execute('file_list', { path: '.' });
      }
    })();
    const { value } = await first;
    running.abort();
    await calls;
    await stream.return();
    await gate.execute('file_list', { path: 'elsewhere' }).catch(() => undefined);
    const all = await records(id);
    for await (const { record } of admin.audit.stream({ agent_id: id, lastEventId: value!.id })) {
      if (record.id === all.at(-1)!.id) {
        break;
      }
    }
    assert.equal((await admin.audit.get(all[0]!.id)).hash, all[0]!.hash);
    const exported = [];
    for await (const record of admin.audit.export({ agent_id: id })) {
      exported.push(record.id);
    }
    assert.deepEqual(exported.sort(), all.map((record) => record.id).sort());
  });

  test('keys are created, rotated and revoked', async () => {
    const made = await admin.keys.create({ role: 'auditor', name: 'temporary' });
    const auditor = new Toolgate({ key: made.key });
    assert.equal((await auditor.audit.list({ limit: 1 }).pages().next()).done, false);
    const rotated = await admin.keys.rotate(made.key_id);
    assert.notEqual(rotated.key, made.key);
    await admin.keys.revoke(rotated.key_id);
    assert.ok((await admin.keys.get(rotated.key_id)).revoked_at);
  });

  test('artifacts are stored, listed, read and deleted', async () => {
    const workspace = `ws-${randomUUID()}`;
    const stored = await admin.artifacts.store(workspace, 'a;b', { name: 'table.csv', mediaType: 'text/csv' });
    assert.deepEqual((await admin.artifacts.list(workspace).all()).map((each) => each.id), [stored.id]);
    const content = await admin.artifacts.read(stored.uri);
    assert.equal(content.headers.get('content-type')?.split(';')[0], 'text/csv');
    assert.equal(await content.text(), 'a;b');
    await admin.artifacts.delete(stored.uri);
    await assert.rejects(admin.artifacts.read(stored.uri), ToolgateError);
    assert.throws(() => admin.artifacts.read('workspaces/../artifacts/x/../../keys'), TypeError);
  });

  test('external tools are registered, listed and removed', async () => {
    const tool = await externalTool();
    assert.equal((await admin.externalTools.get(tool)).capability, 'Deploy.Run');
    assert.ok((await admin.externalTools.list()).some((each) => each.name === tool));
    await admin.externalTools.remove(tool, { reason: 'done' });
    await assert.rejects(admin.externalTools.get(tool), ToolgateError);
  });
});
