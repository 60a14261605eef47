import { Toolgate, type Gate } from '@toolgate/client';
import { MockToolgate } from '@toolgate/client/testing';
import { AiSdkGate, ToolNotRun } from '@toolgate/integrations/ai-sdk';
import { experimental_toolCaller, generateText, isStepCount, tool, type ToolSet } from 'ai';
import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { z } from 'zod';
import { closedPort, error, json, localServer, type Received } from '../../../clients/typescript/test/local-server.ts';
import { modelSaying, told } from './scripted-model.ts';

type Answer = Parameters<typeof localServer>[1];

/** Runs a model that calls a tool under a gate, and returns what the model was told, and what the tool was run with. */
async function outcomeWith(client: Gate): Promise<{ said: string; ran: unknown[] }> {
  const ran: unknown[] = [];
  const tools = { deploy: tool({ inputSchema: z.object({ host: z.string() }), execute: (input) => ran.push(input) }) };
  const model = modelSaying([['call_1', 'deploy', { host: 'production' }]], 'It failed.');
  await generateText({ model, tools: new AiSdkGate(client).wrap(tools), stopWhen: isStepCount(2), prompt: 'Deploy.' });
  return { said: String(told(model)['call_1']!.value), ran };
}

const permit = (request: Received): object => ({
  status: 'allowed',
  outcome: 'authorized',
  request_id: (request.body as { request_id: string }).request_id,
  permit_expires_at: '2099-01-01T00:00:00Z',
  parameters: (request.body as { parameters: object }).parameters,
  logged: true,
});

const completed = { status: 'allowed', request_id: 'r', result: { success: true, data: '' }, logged: true };

suite('a gate that gives no permit', { concurrency: true }, () => {
  const answers: Record<string, Answer> = {
    'answers with 500': (_, response) => json(response, 500, error('INTERNAL_ERROR', false)),
    'answers with 500 and the page of a proxy': (_, response) => response.writeHead(500).end('<h1>Oops</h1>'),
    'answers with 503': (_, response) => json(response, 503, error('SERVICE_UNAVAILABLE', true)),
    'does not know the key': (_, response) => json(response, 401, error('UNAUTHORIZED', false)),
    'answers with success and nothing': (_, response) => json(response, 200, {}),
    'answers with a result in place of a permit': (_, response) => json(response, 200, completed),
    'answers with a permit without parameters': (request, response) => json(response, 200, { ...permit(request), parameters: undefined }),
    'does not answer': () => undefined,
    'hangs up': (_, response) => response.destroy(),
    'redirects elsewhere': (_, response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
  };
  for (const [what, answer] of Object.entries(answers)) {
    test(`a tool does not run if the gate ${what}`, async (t) => {
      const { url, received } = await localServer(t as TestContext, answer);
      const { said, ran } = await outcomeWith(new Toolgate({ url, agent: 'a', timeout: 3_000, maxRetries: 0 }));
      assert.deepEqual(ran, []);
      assert.ok(received.length >= 1, 'the gate was asked');
      assert.match(said, /^ToolNotRun: 'deploy' was not run\. The gate gave no permit \([A-Z_]+\)\.$/);
    });
  }

  test('a tool does not run if the gate is gone', async () => {
    const url = await closedPort();
    const { said, ran } = await outcomeWith(new Toolgate({ url, agent: 'a', maxRetries: 0 }));
    assert.deepEqual(ran, []);
    assert.equal(said, "ToolNotRun: 'deploy' was not run. The gate gave no permit (CONNECTION_FAILED).");
  });

  test('a lost answer is asked for again, and the tool runs once', async (t) => {
    const { url, received } = await localServer(t as TestContext, (request, response) => {
      if (received.length === 1) {
        response.destroy();
      } else {
        json(response, 200, request.url.endsWith('/authorize') ? permit(request) : completed);
      }
    });
    const { ran } = await outcomeWith(new Toolgate({ url, agent: 'a' }));
    assert.equal(ran.length, 1);
    const [first, again] = received.map(({ body }) => (body as { request_id: string }).request_id);
    assert.equal(first, again);
  });
});

suite('what a tool runs with', () => {
  const execution = { toolCallId: 'call_1', messages: [], context: {} };
  const gateFor = (...tools: string[]): MockToolgate => new MockToolgate({ a: tools }, { agent: 'a' });

  test('arguments that change while the gate decides are not those it runs with', async () => {
    const ran: unknown[] = [];
    const client = gateFor('deploy');
    const input = { host: 'staging' };
    const slow: Gate = Object.assign(Object.create(client) as Gate, {
      authorize: async (...call: Parameters<Gate['authorize']>) => {
        const given = await client.authorize(...call);
        input.host = 'production';
        return given;
      },
    });
    const { deploy } = new AiSdkGate(slow).wrap({ deploy: tool({ inputSchema: z.object({ host: z.string() }), execute: (given) => ran.push(given) }) });
    await deploy.execute(input, execution);
    assert.deepEqual(ran, [{ host: 'staging' }]);
  });

  test('dates stay dates, and the gate sees their text', async () => {
    const ran: unknown[] = [];
    const client = gateFor('plan');
    const at = new Date('2026-01-02T03:04:05Z');
    const { plan } = new AiSdkGate(client).wrap({ plan: tool({ inputSchema: z.object({ at: z.coerce.date() }), execute: (given) => ran.push(given) }) });
    await plan.execute({ at }, execution);
    assert.deepEqual(ran, [{ at }]);
    assert.deepEqual(client.calls[0]!.parameters, { at: '2026-01-02T03:04:05.000Z' });
  });

  test('values that the gate cannot see do not reach the tool', async () => {
    const ran: unknown[] = [];
    const client = gateFor('send');
    const { send } = new AiSdkGate(client).wrap({ send: tool({ inputSchema: z.object({ to: z.unknown() }), execute: (given) => ran.push(given) }) });
    for (const to of [new Map([['a', 1]]), new Set([1]), 1n, () => 1, Symbol('a'), NaN, [undefined], new Uint8Array(2), new (class Hidden { secret = 1; })()]) {
      await assert.rejects(async () => send.execute({ to }, execution), (failure) => failure instanceof ToolNotRun && failure.cause instanceof TypeError);
    }
    for (const input of ['text', null, ['a']]) {
      await assert.rejects(async () => send.execute(input as never, execution), ToolNotRun);
    }
    assert.deepEqual([ran, client.calls], [[], []]);
  });

  test('what cannot be put under the gate is refused at once', () => {
    const gate = new AiSdkGate(gateFor());
    const inputSchema = z.object({});
    const attempts: ToolSet[] = [
      { click: tool({ inputSchema, outputSchema: z.string() }) },
      { code: experimental_toolCaller(tool({ inputSchema, execute: () => 1 }), { type: 'local', bind: () => tool({ inputSchema, execute: () => 2 }) }) },
      { search: { type: 'provider', id: 'provider.search', isProviderExecuted: true, args: {}, inputSchema, outputSchema: z.string() } },
    ];
    for (const tools of attempts) {
      assert.throws(() => gate.wrap(tools), /no function that can be put under the gate/);
    }
  });

  test('the tools that were given stay as they are', async () => {
    const given = { look: tool({ description: 'Looks.', inputSchema: z.object({}), execute: () => 'seen' }) };
    const before = given.look.execute;
    const wrapped = new AiSdkGate(gateFor()).wrap(given);
    assert.equal(given.look.execute, before);
    assert.equal(wrapped.look.description, 'Looks.');
    await assert.rejects(async () => wrapped.look.execute({}, execution), ToolNotRun);
  });

  test('a function that returns parts without being a generator reports the last', async () => {
    const client = gateFor('look');
    const parts = async function* (): AsyncGenerator<string> {
      yield 'one';
      yield 'two';
    };
    const { look } = new AiSdkGate(client).wrap({ look: tool({ inputSchema: z.object({}), execute: () => parts() }) });
    assert.equal(await look.execute({}, execution), 'two');
    assert.equal(client.calls[0]!.report?.output, 'two');
  });

  test('names that models do not accept are changed to ones that they do', async () => {
    const long = `server/${'x'.repeat(100)}`;
    const tools = Object.keys(await new AiSdkGate(gateFor('files', 'server/tool', 'server_tool', long)).tools());
    assert.equal(tools[0], 'files');
    assert.match(tools[1]!, /^server_tool_[0-9a-f]{8}$/);
    assert.equal(tools[2], 'server_tool');
    assert.ok(tools.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name)));
    assert.equal(new Set(tools).size, 4);
  });
});
