import { ConnectionFailed, RateLimited, Toolgate, ToolgateError, ToolsService } from '@toolgate/client';
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { suite, test, type TestContext } from 'node:test';
import { allowed, closedPort, error, json, localServer } from './local-server.ts';

const KEY = 'tg_a-key-that-nobody-may-see';
const CALL = { agent: 'a' };

suite('requests', { concurrency: true }, () => {
  test('a lost answer is asked for again with the same id', async (t) => {
    const server = await localServer(t as TestContext, (request, response) => {
      if (server.received.length === 1) {
        response.destroy();
      } else {
        json(response, 200, allowed(request));
      }
    });
    await new Toolgate({ url: server.url }).execute('tool', {}, CALL);
    const ids = server.received.map((request) => (request.body as { request_id: string }).request_id);
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
  });

  test('two calls have two ids', async (t) => {
    const server = await localServer(t as TestContext, (request, response) => json(response, 200, allowed(request)));
    const gate = new Toolgate({ url: server.url });
    const [first, second] = [await gate.execute('tool', {}, CALL), await gate.execute('tool', {}, CALL)];
    assert.notEqual(first.requestId, second.requestId);
  });

  test('a change whose answer is lost is not made twice', async (t) => {
    const server = await localServer(t as TestContext, (_, response) => response.destroy());
    await assert.rejects(new Toolgate({ url: server.url }).keys.create({ role: 'operator' }), ConnectionFailed);
    assert.equal(server.received.length, 1);
  });

  test('a change is sent again if the gate did nothing', async (t) => {
    const server = await localServer(t as TestContext, (_, response) =>
      server.received.length === 1 ? json(response, 503, error('SERVICE_UNAVAILABLE', true)) : json(response, 201, { key: 'tg_new' }),
    );
    assert.equal((await new Toolgate({ url: server.url }).keys.create({ role: 'operator' })).key, 'tg_new');
  });

  test('a front end action that may have run is not sent again', async (t) => {
    const server = await localServer(t as TestContext, (_, response) => json(response, 503, error('SERVICE_UNAVAILABLE', true)));
    await assert.rejects(new ToolsService({ url: server.url }).executeTool('memory_delete', { key: 'a' }), { code: 'SERVICE_UNAVAILABLE' });
    assert.equal(server.received.length, 1);
  });

  test('a front end action whose answer is lost does not run twice', async (t) => {
    const server = await localServer(t as TestContext, (_, response) => response.destroy());
    await assert.rejects(new ToolsService({ url: server.url }).executeTool('writeFile', { path: 'a', content: 'b' }), ConnectionFailed);
    assert.equal(server.received.length, 1);
  });

  test('a front end action that was only rate limited is sent again', async (t) => {
    const server = await localServer(t as TestContext, (_, response) =>
      server.received.length === 1
        ? json(response, 429, error('RATE_LIMITED', true))
        : json(response, 200, { result: { content: 'hello' }, correlationId: 'c' }),
    );
    const { result } = await new ToolsService({ url: server.url }).executeTool('readFile', { path: 'a' });
    assert.equal(result.content, 'hello');
  });

  test('a wait of more than a minute is left to the caller', async (t) => {
    const server = await localServer(t as TestContext, (_, response) =>
      json(response, 429, error('RATE_LIMITED', true), { 'Retry-After': '61' }),
    );
    const failure = await new Toolgate({ url: server.url }).submit('tool', {}, CALL).catch((reason: unknown) => reason);
    assert.ok(failure instanceof RateLimited);
    assert.equal(failure.retryAfter, 61);
    assert.equal(server.received.length, 1);
  });

  test('a gate that is gone is a failed connection', async () => {
    const failure = await new Toolgate({ url: await closedPort(), maxRetries: 0 }).submit('tool', {}, CALL).catch((reason: unknown) => reason);
    assert.ok(failure instanceof ConnectionFailed);
    assert.equal(failure.retryable, true);
    assert.match(failure.message, /could not be reached/);
  });

  test('a gate that does not answer in time is a failed connection', async (t) => {
    const server = await localServer(t as TestContext, () => undefined);
    const failure = await new Toolgate({ url: server.url, timeout: 200, maxRetries: 0 }).submit('tool', {}, CALL).catch((reason: unknown) => reason);
    assert.ok(failure instanceof ConnectionFailed);
    assert.match(failure.message, /did not answer within 200 ms/);
  });

  test('an aborted call ends with the reason and is not sent again', async (t) => {
    const abort = new AbortController();
    const reason = new Error('the user left');
    const server = await localServer(t as TestContext, () => abort.abort(reason));
    await assert.rejects(new Toolgate({ url: server.url }).execute('tool', {}, { ...CALL, signal: abort.signal }), reason);
    assert.equal(server.received.length, 1);
  });

  test('a held call outlives a gate that is gone for longer than the retries', async (t) => {
    const server = await localServer(t as TestContext, (request, response) => {
      const looks = server.received.length - 1;
      if (looks === 0) {
        json(response, 202, { status: 'pending', request_id: 'r' });
      } else if (looks <= 2) {
        response.destroy();
      } else if (looks === 3) {
        json(response, 503, error('SERVICE_UNAVAILABLE', true));
      } else {
        json(response, 200, { status: 'allowed', request_id: 'r', result: { success: true, data: 'done' }, logged: true });
      }
      assert.equal(request.method, looks === 0 ? 'POST' : 'GET');
    });
    const result = await new Toolgate({ url: server.url, maxRetries: 0 }).execute('tool', {}, CALL);
    assert.equal(result.data, 'done');
    assert.equal(server.received.length, 5);
  });

  test('a wait ends with its time or with an answer that no retry can change', async (t) => {
    for (const [looked, wait] of [[error('SERVICE_UNAVAILABLE', true), 300], [error('INVALID_REQUEST', false), 60_000]] as const) {
      const server = await localServer(t as TestContext, (request, response) =>
        request.method === 'POST' ? json(response, 202, { status: 'pending', request_id: 'r' }) : json(response, 503, looked),
      );
      const gate = new Toolgate({ url: server.url, maxRetries: 0 });
      await assert.rejects(gate.execute('tool', {}, { ...CALL, wait }), { code: looked.error.code });
    }
  });

  test('an aborted wait for an approval ends', async (t) => {
    const abort = new AbortController();
    const server = await localServer(t as TestContext, (request, response) => {
      json(response, 202, { status: 'pending', request_id: 'r' });
      if (request.method === 'GET') {
        abort.abort();
      }
    });
    const call = new Toolgate({ url: server.url }).execute('tool', {}, { ...CALL, signal: abort.signal });
    await assert.rejects(call, { name: 'AbortError' });
  });

  test('a key does not follow a redirect to another server', async (t) => {
    const other = await localServer(t as TestContext, (request, response) => json(response, 200, allowed(request)));
    const server = await localServer(t as TestContext, (_, response) => {
      response.writeHead(307, { Location: other.url }).end();
    });
    const gate = new Toolgate({ url: server.url, key: KEY, maxRetries: 0 });
    await assert.rejects(gate.execute('tool', { secret: 1 }, CALL), ToolgateError);
    assert.equal(other.received.length, 0);
  });

  test('a link to another server is not followed', async (t) => {
    const other = await localServer(t as TestContext, (_, response) => json(response, 200, []));
    const server = await localServer(t as TestContext, (request, response) =>
      json(response, 200, [{ agent_id: 'a' }], request.url.includes('after') ? {} : { Link: `<${other.url}/steal?after=a>; rel="next"` }),
    );
    const agents = await new Toolgate({ url: server.url, key: KEY }).agents.list().all();
    assert.equal(agents.length, 2);
    assert.deepEqual(server.received.map((request) => request.url), ['/api/v1/agents', '/api/v1/agents?after=a']);
    assert.equal(other.received.length, 0);
  });

  test('an id cannot lead to another resource', async (t) => {
    const server = await localServer(t as TestContext, (_, response) => json(response, 200, {}));
    const gate = new Toolgate({ url: server.url });
    for (const id of ['.', '..', '']) {
      assert.throws(() => gate.agents.get(id), TypeError);
      await assert.rejects(gate.collect(id), TypeError);
    }
    await gate.agents.get('a/../keys?x=1#y');
    assert.deepEqual(server.received.map((request) => request.url), ['/api/v1/agents/a%2F..%2Fkeys%3Fx%3D1%23y']);
  });

  test('neither the client nor its errors show the key', async () => {
    const gate = new Toolgate({ url: await closedPort(), key: KEY, maxRetries: 0 });
    const failure = await gate.execute('tool', {}, CALL).catch((reason: unknown) => reason);
    for (const text of [inspect(gate, { depth: 9, showHidden: true }), JSON.stringify(gate), inspect(failure, { depth: 9, showHidden: true })]) {
      assert.ok(!text.includes(KEY));
    }
  });

  test('an answer that is no outcome is an error and no result', async (t) => {
    for (const body of [{}, [], { status: 'allowed' }, { status: 'allowed', outcome: 'undone', result: {} }, { status: 'maybe' }]) {
      const server = await localServer(t as TestContext, (_, response) => json(response, 200, body));
      await assert.rejects(new Toolgate({ url: server.url }).submit('tool', {}, CALL), { code: 'UNEXPECTED_RESPONSE' });
    }
  });

  test('settings that cannot work are refused at once', () => {
    for (const options of [{ url: 'nowhere' }, { url: 'ftp://gate' }, { url: 'http://user:pass@gate' }, { timeout: 0 }, { maxRetries: -1 }]) {
      assert.throws(() => new Toolgate(options), TypeError);
    }
  });

  test('a call without an agent says what is missing', async () => {
    await assert.rejects(new Toolgate({ url: 'http://127.0.0.1:1' }).execute('tool'), /TOOLGATE_AGENT/);
  });
});

suite('streams', () => {
  test('events arrive whole however they are cut', async (t) => {
    const text = ': hello\r\nevent: opened\r\ndata: {"approval_id":\r\ndata: "ä"}\r\n\r\nevent: answered\ndata: {"approval_id":"b"}\n\n';
    const server = await localServer(t as TestContext, (request, response) => {
      if (!request.url.endsWith('/stream')) {
        json(response, 200, [{ approval_id: 'ä' }, { approval_id: 'waiting' }]);
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      for (const byte of Buffer.from(text)) {
        response.write(Buffer.of(byte));
      }
      response.end();
    });
    const events = [];
    for await (const event of new Toolgate({ url: server.url }).approvals.stream()) {
      events.push([event.event, event.approval.approval_id]);
    }
    assert.deepEqual(events, [['opened', 'ä'], ['opened', 'waiting'], ['answered', 'b']]);
  });

  test('a stream that the gate cuts is an error', async (t) => {
    const server = await localServer(t as TestContext, (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('event: cut\ndata: {}\n\n');
    });
    await assert.rejects(new Toolgate({ url: server.url }).audit.stream().next(), { code: 'STREAM_CUT' });
  });

  test('leaving the loop closes the connection', async (t) => {
    let close: () => void;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const server = await localServer(t as TestContext, (_, response) => {
      response.on('close', () => close());
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: record\ndata: {}\n\n');
    });
    for await (const _ of new Toolgate({ url: server.url }).audit.stream()) {
      break;
    }
    await closed;
  });
});
