import { ApprovalDenied, DeniedError, OutcomeNotReported, ToolFailed } from '@toolgate/client';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { suite, test } from 'node:test';
import { agentWith, answerNext, eventually, externalTool, records } from './setup.ts';

suite('permits', { concurrency: 4 }, () => {
  test('a tool that ran elsewhere is on record', async () => {
    const tool = await externalTool();
    const { id, gate } = await agentWith({ [tool]: {} });
    const permit = await gate.authorize(tool, { host: 'staging' }, { toolCallId: 'toolu_1' });
    assert.equal(await permit.run(({ host }) => `Deployed to ${String(host)}`), 'Deployed to staging');
    const [record] = await records(id);
    assert.deepEqual([record!.status, record!.executed_by, record!.tool_call_id], ['COMPLETED', 'client', 'toolu_1']);
    assert.match(record!.client!, /^toolgate-typescript\//);
    const outcome = await gate.collect(permit.requestId);
    assert.equal(outcome.outcome === 'completed' && outcome.data, 'Deployed to staging');
  });

  test('a tool that failed elsewhere is on record as failed', async () => {
    const tool = await externalTool();
    const { id, gate } = await agentWith({ [tool]: {} });
    const permit = await gate.authorize(tool, { host: 'staging' });
    await assert.rejects(permit.run(() => Promise.reject(new Error('no route to host'))), /no route to host/);
    assert.deepEqual((await records(id)).map((record) => record.status), ['FAILED']);
    const outcome = await gate.collect(permit.requestId);
    assert.equal(outcome.outcome === 'failed' && outcome.error.message, 'no route to host');
  });

  test('what is not reported in time is on record as interrupted', async () => {
    const tool = await externalTool();
    const { id, gate } = await agentWith({ [tool]: {} });
    const permit = await gate.authorize(tool, { host: 'staging' }, { expiresIn: 1 });
    const late = await permit
      .run(() => eventually(async () => ((await records(id)).some((record) => record.status === 'INTERRUPTED') ? 'too late' : undefined)))
      .catch((reason: unknown) => reason);
    assert.ok(late instanceof OutcomeNotReported);
    assert.equal(late.value, 'too late');
    assert.deepEqual((await records(id)).map((record) => record.status), ['INTERRUPTED']);
  });

  test('a tool that is not granted does not run', async () => {
    const tool = await externalTool();
    const { gate } = await agentWith({});
    let ran = false;
    const run = gate.authorize(tool, { host: 'staging' }).then((permit) => permit.run(() => (ran = true)));
    await assert.rejects(run, DeniedError);
    assert.equal(ran, false);
  });

  test('arguments that do not fit the schema get no permit', async () => {
    const tool = await externalTool();
    const { gate } = await agentWith({ [tool]: {} });
    await assert.rejects(gate.authorize(tool, { hots: 'staging' }), (failure) => failure instanceof ToolFailed && failure.code === 'INVALID_REQUEST');
  });

  test('the same id gets the same permit until it is reported', async () => {
    const tool = await externalTool();
    const { gate } = await agentWith({ [tool]: {} });
    const requestId = randomUUID();
    const [first, again] = [await gate.authorize(tool, { host: 'a' }, { requestId }), await gate.authorize(tool, { host: 'a' }, { requestId })];
    assert.equal(again.expiresAt, first.expiresAt);
    await assert.rejects(gate.authorize(tool, { host: 'b' }, { requestId }), { code: 'REQUEST_ID_TAKEN' });
    await first.succeeded('once');
    assert.equal((await again.succeeded('twice')).data, 'once');
    await assert.rejects(gate.authorize(tool, { host: 'a' }, { requestId }), { code: 'PERMIT_USED' });
  });

  test('a held permit begins when it is approved', async () => {
    const tool = await externalTool();
    const { id, gate } = await agentWith({ [tool]: { requires_approval: true } });
    const [permit] = await Promise.all([gate.authorize(tool, { host: 'production' }), answerNext(id, true, 'go')]);
    assert.deepEqual(permit.parameters, { host: 'production' });
    assert.equal(await permit.run(() => 'done'), 'done');
  });

  test('a held permit that is refused means that the tool does not run', async () => {
    const tool = await externalTool();
    const { id, gate } = await agentWith({ [tool]: { requires_approval: true } });
    let ran = false;
    const run = gate.authorize(tool, { host: 'production' }).then((permit) => permit.run(() => (ran = true)));
    const [failure] = await Promise.all([run.catch((reason: unknown) => reason), answerNext(id, false, 'no')]);
    assert.ok(failure instanceof ApprovalDenied);
    assert.equal(ran, false);
  });
});
