import { ApprovalDenied, ApprovalPending, ApprovalTimeout, DeniedError, GatedAgent, ToolFailed } from '@toolgate/client';
import { MockToolgate } from '@toolgate/client/testing';
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('an allowed call gets the result of the test', async () => {
  const gate = new MockToolgate({ dev: ['file_read', 'sum'] }, { results: { file_read: 'text', sum: ({ a, b }: Record<string, number>) => a! + b! } });
  assert.equal((await gate.execute('file_read', {}, { agent: 'dev' })).data, 'text');
  assert.equal((await gate.execute('sum', { a: 1, b: 2 }, { agent: 'dev' })).structured, 3);
  assert.deepEqual(gate.calls.map(({ tool, outcome }) => [tool, outcome]), [['file_read', 'completed'], ['sum', 'completed']]);
});

test('what is not granted is refused, with what is', async () => {
  const gate = new MockToolgate({ dev: ['file_read'] });
  const failure = await gate.execute('database_write', {}, { agent: 'dev' }).catch((reason: unknown) => reason);
  assert.ok(failure instanceof DeniedError);
  assert.deepEqual(failure.allowedTools, ['file_read']);
  assert.equal((await gate.validate('database_write', {}, { agent: 'dev' })).allowed, false);
  assert.equal(gate.executeTool('dev', 'file_read')['status'], 'allowed');
  assert.equal(gate.executeTool('stranger', 'file_read')['status'], 'denied');
});

test('held calls are approved, refused, timed out or left open', async () => {
  const permissions = { dev: ['deploy'] };
  const held = { requiresApproval: ['deploy'], agent: 'dev' };
  assert.equal((await new MockToolgate(permissions, held).execute('deploy')).outcome, 'completed');
  await assert.rejects(new MockToolgate(permissions, { ...held, approvals: 'deny' }).execute('deploy'), ApprovalDenied);
  await assert.rejects(new MockToolgate(permissions, { ...held, approvals: 'timeout' }).execute('deploy'), ApprovalTimeout);
  const open = new MockToolgate(permissions, { ...held, approvals: 'pending' });
  await assert.rejects(open.execute('deploy', {}, { requestId: 'r' }), ApprovalPending);
  open.answer('r', true);
  assert.equal((await open.collect('r')).outcome, 'completed');
});

test('a repeated id runs nothing, and another body is refused', async () => {
  let runs = 0;
  const gate = new MockToolgate({ dev: ['count'] }, { agent: 'dev', results: { count: () => ++runs } });
  await gate.execute('count', {}, { requestId: 'r' });
  assert.equal((await gate.execute('count', {}, { requestId: 'r' })).structured, 1);
  await assert.rejects(gate.execute('count', { more: 1 }, { requestId: 'r' }), { code: 'REQUEST_ID_TAKEN' });
});

test('a tool that throws is a failed tool', async () => {
  const gate = new MockToolgate({ dev: ['boom'] }, { agent: 'dev', results: { boom: () => { throw new Error('no space'); } } });
  await assert.rejects(gate.execute('boom'), (failure) => failure instanceof ToolFailed && failure.message === 'no space');
});

test('a permit is reported, and refused without a grant', async () => {
  const gate = new MockToolgate({ dev: ['deploy'] }, { agent: 'dev' });
  assert.equal(await (await gate.authorize('deploy', { host: 'x' })).run(() => 'done'), 'done');
  assert.equal(gate.calls[0]!.report?.status, 'succeeded');
  await assert.rejects(gate.authorize('drop', {}), DeniedError);
});

test('an agent uses an alternative it may use', async () => {
  const gate = new MockToolgate({ dev: ['file_write'] });
  const agent = new GatedAgent(gate, 'dev');
  await agent.use('database_write', { text: 'x' }, { alternatives: ['s3_write', { tool: 'file_write', parameters: { path: 'x' } }] });
  assert.deepEqual(gate.calls.map(({ tool, outcome }) => [tool, outcome]), [['database_write', 'refused'], ['file_write', 'completed']]);
  assert.deepEqual(await agent.availableTools(), ['file_write']);
  assert.throws(() => gate.assertEscalated(), /No agent escalated/);
});

test('an agent escalates what is critical, and nothing else', async () => {
  const gate = new MockToolgate({ dev: [] });
  const noticed: string[] = [];
  class Noticing extends GatedAgent {
    override onDenied(denied: DeniedError): void {
      noticed.push(denied.violationType);
    }
  }
  const agent = new Noticing(gate, 'dev', (denied) => {
    gate.grant('dev', 'deploy');
    return denied.allowedTools.length === 0;
  });
  await assert.rejects(agent.use('list'), DeniedError);
  assert.equal(gate.escalations.length, 0);
  assert.equal((await agent.use('deploy', {}, { critical: true, requestId: 'r' })).outcome, 'completed');
  gate.assertEscalated('dev');
  assert.deepEqual(noticed, ['permission_denied', 'permission_denied']);
});

test('a critical call that a person refused is not escalated', async () => {
  const gate = new MockToolgate({ dev: ['deploy'] }, { requiresApproval: ['deploy'], approvals: 'deny' });
  const agent = new GatedAgent(gate, 'dev', () => true);
  await assert.rejects(agent.use('deploy', {}, { critical: true }), ApprovalDenied);
  assert.equal(gate.escalations.length, 0);
});

test('an escalation without help ends in the refusal', async () => {
  const gate = new MockToolgate();
  await assert.rejects(new GatedAgent(gate, 'dev').use('deploy', {}, { critical: true }), DeniedError);
  gate.assertEscalated();
});
