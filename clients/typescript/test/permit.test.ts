import { OutcomeNotReported, Toolgate, ToolgateError } from '@toolgate/client';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { error, json, localServer, type LocalServer } from './local-server.ts';

/** A gate that gives a permit and takes reports. */
function permitting(t: TestContext, report: (times: number) => 'answer' | 'lose' | 'expired'): Promise<LocalServer> {
  let reports = 0;
  return localServer(t, (request, response) => {
    const { request_id, parameters } = request.body as { request_id: string; parameters: object };
    if (request.url.endsWith('/authorize')) {
      const permit = { status: 'allowed', outcome: 'authorized', request_id, permit_expires_at: '2099-01-01T00:00:00Z', parameters, logged: true };
      json(response, 200, permit);
      return;
    }
    const what = report(++reports);
    if (what === 'lose') {
      response.destroy();
    } else if (what === 'expired') {
      json(response, 409, error('INVALID_REQUEST', false));
    } else {
      json(response, 200, { status: 'allowed', request_id: 'r', result: { success: true, data: '' }, logged: true });
    }
  });
}

test('a lost report is sent again', async (t) => {
  const server = await permitting(t as TestContext, (times) => (times === 1 ? 'lose' : 'answer'));
  const permit = await new Toolgate({ url: server.url, agent: 'a' }).authorize('deploy', { host: 'x' });
  assert.equal(await permit.run(({ host }) => `deployed to ${String(host)}`), 'deployed to x');
  assert.equal(server.received.length, 3);
});

test('a report that cannot be made is told with what the tool returned', async (t) => {
  const server = await permitting(t as TestContext, () => 'expired');
  const permit = await new Toolgate({ url: server.url, agent: 'a' }).authorize('deploy', {});
  const failure = await permit.run(() => 42).catch((reason: unknown) => reason);
  assert.ok(failure instanceof OutcomeNotReported);
  assert.equal(failure.value, 42);
});

test('what the tool throws reaches the caller although no report is taken', async (t) => {
  const server = await permitting(t as TestContext, () => 'expired');
  const permit = await new Toolgate({ url: server.url, agent: 'a' }).authorize('deploy', {});
  const failure = new Error('no route to host');
  await assert.rejects(permit.run(() => Promise.reject(failure)), failure);
});

test('a permit runs once, also if it was reported by hand', async (t) => {
  const server = await permitting(t as TestContext, () => 'answer');
  const gate = new Toolgate({ url: server.url, agent: 'a' });
  const [ran, reported] = [await gate.authorize('deploy', {}), await gate.authorize('deploy', {})];
  let runs = 0;
  await ran.run(() => runs++);
  await reported.succeeded();
  for (const permit of [ran, reported]) {
    await assert.rejects(permit.run(() => runs++), (failure) => failure instanceof ToolgateError && failure.code === 'PERMIT_USED');
  }
  assert.equal(runs, 1);
});

test('parts of an output are handed on, and the last one is reported', async (t) => {
  const server = await permitting(t as TestContext, () => 'answer');
  const permit = await new Toolgate({ url: server.url, agent: 'a' }).authorize('deploy', { host: 'x' });
  const parts: string[] = [];
  for await (const part of permit.stream(async function* ({ host }) {
    yield 'begun';
    yield `deployed to ${String(host)}`;
  })) {
    parts.push(part);
  }
  assert.deepEqual(parts, ['begun', 'deployed to x']);
  const { status, output } = server.received.at(-1)!.body as { status: string; output: string };
  assert.deepEqual([status, output], ['succeeded', 'deployed to x']);
  await assert.rejects(permit.run(() => 1), { code: 'PERMIT_USED' });
});

test('a reader that stops early, and a tool that breaks, are reported as failures', async (t) => {
  const server = await permitting(t as TestContext, () => 'answer');
  const gate = new Toolgate({ url: server.url, agent: 'a' });
  const reported = (): unknown => (server.received.at(-1)!.body as { error: string }).error;
  let cleaned = false;
  for await (const _ of (await gate.authorize('deploy', {})).stream(async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      cleaned = true;
    }
  })) {
    break;
  }
  assert.equal(cleaned, true);
  assert.equal(reported(), 'It was stopped before its end.');
  const broken = (await gate.authorize('deploy', {})).stream(async function* () {
    yield 1;
    throw new Error('no route to host');
  });
  assert.deepEqual(await broken.next(), { value: 1, done: false });
  await assert.rejects(broken.next(), /no route to host/);
  assert.equal(reported(), 'no route to host');
});

test('values that are no JSON are reported as text', async (t) => {
  const server = await permitting(t as TestContext, () => 'answer');
  const gate = new Toolgate({ url: server.url, agent: 'a' });
  const circle: unknown[] = [];
  circle.push(circle, 1);
  for (const [value, output] of [[10n, '10'], [circle, ',1'], [undefined, undefined], [{ a: 1 }, { a: 1 }]]) {
    await (await gate.authorize('deploy', {})).run(() => value);
    assert.deepEqual((server.received.at(-1)!.body as { output?: unknown }).output, output);
  }
});

test('a tool does not run where the gate gives no permit', async (t) => {
  const answers = [{ status: 'allowed' }, { status: 'allowed', outcome: 'authorized', request_id: 'r', permit_expires_at: 'x' }, {}];
  for (const answer of answers) {
    const server = await localServer(t as TestContext, (_, response) => json(response, 200, answer));
    await assert.rejects(new Toolgate({ url: server.url, agent: 'a' }).authorize('deploy', {}), ToolgateError);
  }
});
