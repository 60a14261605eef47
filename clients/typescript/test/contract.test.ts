import {
  ApprovalDenied,
  ApprovalTimeout,
  AuthenticationError,
  DeniedError,
  RateLimited,
  ToolFailed,
  Toolgate,
  ToolgateError,
  type AuditFilter,
  type Permit,
} from '@toolgate/client';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { suite, test, type TestContext } from 'node:test';
import { json, localServer, type Received } from './local-server.ts';

interface Exchange {
  request: { method: string; path: string; headers: Record<string, string>; body?: unknown };
  response: { status: number; headers: Record<string, string>; body?: unknown };
}

interface Step {
  do: string;
  arguments: unknown[];
  options: Record<string, unknown>;
  exchanges: Exchange[];
  expect: { outcome?: string; raises?: string; fields?: Record<string, unknown>; kept?: Record<string, unknown>; count?: number };
}

interface Scenario {
  name: string;
  says: string;
  client: { key: string; agent: string };
  steps: Step[];
}

type Fields = Record<string, unknown>;

const FOLDER = new URL('../../contract/', import.meta.url);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ERRORS: Record<string, new (fields: never) => ToolgateError> = {
  denied: DeniedError,
  approval_denied: ApprovalDenied,
  approval_timeout: ApprovalTimeout,
  tool_failed: ToolFailed,
  authentication: AuthenticationError,
  rate_limited: RateLimited,
  error: ToolgateError,
};
const OUTCOMES: Record<string, string> = { refused: 'denied', running: 'pending' };

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
assert.ok(files.length >= 20, 'the recorded exchanges are there');
// Most of the time is spent waiting, as Retry-After says.
suite('recorded exchanges', { concurrency: true }, () => {
  for (const file of files) {
    const scenario = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Scenario;
    test(`contract ${scenario.name}`, (context) => replay(context as TestContext, scenario, false));
    const [step] = scenario.steps;
    if (scenario.steps.length === 1 && step!.do === 'execute' && step!.expect.outcome && step!.expect.raises && step!.exchanges.length === 1) {
      test(`contract ${scenario.name} as a value`, (context) => replay(context as TestContext, scenario, true));
    }
  }
});

async function replay(context: TestContext, scenario: Scenario, asValue: boolean): Promise<void> {
  const names = new Map<string, string>();
  const exchanges = scenario.steps.flatMap((step) => step.exchanges);
  const problems: unknown[] = [];
  let next = 0;
  let notBefore = 0;
  const server = await localServer(context, (request, response) => {
    const exchange = exchanges[next++];
    try {
      assert.ok(exchange, `one more request than recorded: ${request.method} ${request.url}`);
      assert.ok(request.at >= notBefore - 20, 'came before Retry-After was over');
      compare(exchange.request, request, names);
    } catch (problem) {
      problems.push(problem);
      response.destroy();
      return;
    }
    const headers = filled(exchange.response.headers, names) as Record<string, string>;
    notBefore = request.at + 1000 * Number(headers['Retry-After'] ?? 0);
    if (typeof exchange.response.body === 'string') {
      response.writeHead(exchange.response.status, headers).end(exchange.response.body);
    } else {
      json(response, exchange.response.status, filled(exchange.response.body, names), headers);
    }
  });
  const gate = new Toolgate({ url: server.url, ...scenario.client });
  let permit: Permit | undefined;
  for (const step of scenario.steps) {
    let result: unknown;
    try {
      result = await perform(gate, asValue ? { ...step, do: 'submit' } : step, names, permit);
    } catch (failure) {
      assert.deepEqual(problems, []);
      if (!(failure instanceof ToolgateError) || asValue || !step.expect.raises) {
        throw failure;
      }
      assert.ok(failure instanceof ERRORS[step.expect.raises]!, `${step.expect.raises}, not ${failure.name}`);
      check(step, failure as unknown as Fields);
      continue;
    }
    assert.deepEqual(problems, []);
    assert.ok(asValue || !step.expect.raises, `throws ${step.expect.raises}`);
    if (step.do === 'authorize') {
      permit = result as Permit;
      assert.equal(step.expect.outcome, 'authorized');
    } else if (step.expect.outcome) {
      const { outcome } = result as { outcome: string };
      assert.equal(OUTCOMES[outcome] ?? outcome, step.expect.outcome);
    }
    check(step, result as Fields);
  }
  assert.equal(next, exchanges.length, 'every recorded request was sent');
}

async function perform(gate: Toolgate, step: Step, names: Map<string, string>, permit: Permit | undefined): Promise<unknown> {
  const [first, second] = filled(step.arguments, names) as [string, Fields | undefined];
  const { agent, request_id: requestId, tool_call_id: toolCallId, output, error } = step.options as Record<string, string | undefined>;
  switch (step.do) {
    case 'execute':
      return gate.execute(first, second, { agent, requestId });
    case 'submit':
      return gate.submit(first, second, { agent, requestId });
    case 'authorize':
      return gate.authorize(first, second!, { toolCallId });
    case 'report':
      return first === 'succeeded' ? permit!.succeeded(output) : permit!.failed(error);
    case 'collect':
      return gate.collect(first);
    case 'validate':
      return gate.validate(first, second);
    case 'audit':
      return gate.audit.list(step.options as AuditFilter).all();
    default:
      throw new Error(`The contract has a step '${step.do}' that this test does not know`);
  }
}

function check({ expect }: Step, result: Fields): void {
  for (const [name, value] of Object.entries(expect.fields ?? {})) {
    assert.deepEqual(fieldOf(result, name), value, name);
  }
  for (const [pointer, value] of Object.entries(expect.kept ?? {})) {
    const path = pointer.split('/').slice(1);
    assert.deepEqual(path.reduce<unknown>((at, key) => (at as Fields)[key], result['raw']), value, pointer);
  }
  if (expect.count !== undefined) {
    assert.equal((result as unknown as unknown[]).length, expect.count);
  }
}

/** A field under its name in TypeScript; the error of a failed call is a value of its own. */
function fieldOf(result: Fields, name: string): unknown {
  const camel = name === 'permit_expires_at' ? 'expiresAt' : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return camel in result ? result[camel] : (result['error'] as Fields)[camel];
}

function compare(expected: Exchange['request'], actual: Received, names: Map<string, string>): void {
  assert.equal(actual.method, expected.method);
  const [path, query] = actual.url.split('?');
  const [expectedPath, expectedQuery] = (filled(expected.path, names) as string).split('?');
  assert.equal(path, expectedPath);
  assert.deepEqual([...new URLSearchParams(query)].sort(), [...new URLSearchParams(expectedQuery)].sort());
  for (const [name, value] of Object.entries(expected.headers)) {
    assert.equal(actual.headers[name.toLowerCase()], value, name);
  }
  assert.match(actual.headers['user-agent'] ?? '', /^toolgate-/);
  same(expected.body, actual.body, names, 'body');
}

function same(expected: unknown, actual: unknown, names: Map<string, string>, place: string): void {
  if (typeof expected === 'string' && /^\$\w+_id$/.test(expected)) {
    assert.match(String(actual), UUID, place);
    assert.ok(names.has(expected) || ![...names.values()].includes(String(actual)), `${place} is a new id`);
    assert.equal(names.get(expected) ?? actual, actual, place);
    names.set(expected, String(actual));
  } else if (typeof expected === 'object' && expected !== null && '$matches' in expected) {
    assert.match(String(actual), new RegExp(String(expected.$matches)), place);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.equal(typeof actual, 'object', place);
    assert.deepEqual(Object.keys(actual as object).sort(), Object.keys(expected).sort(), place);
    for (const [key, value] of Object.entries(expected)) {
      same(value, (actual as Fields)[key], names, `${place}.${key}`);
    }
  } else {
    assert.deepEqual(actual, expected, place);
  }
}

/** A value with the ids that were seen in the place of their names. */
function filled(value: unknown, names: Map<string, string>): unknown {
  if (value === undefined) {
    return undefined;
  }
  const text = JSON.stringify(value).replace(/\$\w+_id\b/g, (name) => names.get(name) ?? name);
  return JSON.parse(text) as unknown;
}
