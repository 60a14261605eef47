import { ToolgateError } from './errors.js';
import type { AuthorizeOptions, CallOptions, Gate, Validation } from './gate.js';
import { outcomeOf, resultOf, type Authorized, type Completed, type Failed, type Outcome } from './outcome.js';
import { Permit, type Report } from './permit.js';
import { Agents } from './resources/agents.js';
import { Approvals } from './resources/approvals.js';
import { Artifacts } from './resources/artifacts.js';
import { Audit } from './resources/audit.js';
import { ExternalTools } from './resources/external-tools.js';
import { Keys } from './resources/keys.js';
import { Permissions } from './resources/permissions.js';
import { Sessions } from './resources/sessions.js';
import { connectionOf, type ConnectionOptions } from './settings.js';
import { delay, uuid } from './time.js';
import { Transport, path, type Send } from './transport.js';
import { VERSION } from './version.js';
import { objectOf, textOf, type JsonObject, type Tool } from './wire.js';

/** Settings of a {@link Toolgate}. */
export interface ToolgateOptions extends ConnectionOptions {
  /** The session whose policy applies to every call. */
  session?: string | undefined;
}

const DEFAULT_WAIT = 600_000;
const FIRST_POLL = 250;
const MAX_POLL = 5_000;
const RUNNING = 'REQUEST_RUNNING';

/** A client of the gate. */
export class Toolgate implements Gate {
  readonly agents: Agents;
  readonly permissions: Permissions;
  readonly approvals: Approvals;
  readonly audit: Audit;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly artifacts: Artifacts;
  readonly externalTools: ExternalTools;
  readonly #transport: Transport;
  readonly #agent: string | undefined;
  readonly #session: string | undefined;

  constructor(options: ToolgateOptions = {}) {
    const connection = connectionOf(options);
    const transport = new Transport(connection);
    this.#transport = transport;
    this.#agent = connection.agent;
    this.#session = options.session;
    this.agents = new Agents(transport);
    this.permissions = new Permissions(transport);
    this.approvals = new Approvals(transport);
    this.audit = new Audit(transport);
    this.sessions = new Sessions(transport);
    this.keys = new Keys(transport);
    this.artifacts = new Artifacts(transport);
    this.externalTools = new ExternalTools(transport);
  }

  async execute(tool: string, parameters: JsonObject = {}, options: CallOptions = {}): Promise<Completed> {
    return resultOf(await this.submit(tool, parameters, { wait: DEFAULT_WAIT, ...options }));
  }

  async submit(tool: string, parameters: JsonObject = {}, options: CallOptions = {}): Promise<Outcome> {
    const call = this.#call(tool, parameters, options);
    const first = await this.#outcome(call.request_id, {
      method: 'POST',
      path: '/api/v1/tools/execute',
      body: call,
      signal: options.signal,
    });
    return unpermitted(await this.#settled(first, call.agent_id, options));
  }

  async collect(requestId: string, options: CallOptions = {}): Promise<Outcome | Authorized> {
    const agent = options.agent ?? this.#agent;
    const first = await this.#look(requestId, agent, options.signal);
    return this.#settled(first, agent, options);
  }

  async validate(tool: string, parameters?: JsonObject, options: CallOptions = {}): Promise<Validation> {
    const { request_id: _, ...call } = this.#call(tool, parameters ?? {}, options);
    const answer = await this.#transport.send({
      method: 'POST',
      path: '/api/v1/tools/validate',
      body: { ...call, parameters },
      signal: options.signal,
      repeatable: true,
    });
    const raw = objectOf(answer.body);
    if (raw['status'] === 'allowed') {
      return { allowed: true, requiresApproval: raw['requires_approval'] === true, reason: textOf(raw['reason']), raw };
    }
    const denied = outcomeOf(answer);
    if (denied.outcome !== 'refused') {
      throw unexpected(denied);
    }
    const { reason, violationType, allowedTools, suggestion } = denied;
    return { allowed: false, reason, violationType, allowedTools, suggestion, raw };
  }

  async tools(options: { agent?: string | undefined; signal?: AbortSignal | undefined } = {}): Promise<Tool[]> {
    const agent = options.agent ?? this.#agent;
    const all = (await this.#transport.send({ path: '/api/v1/tools', signal: options.signal })).body as Tool[];
    if (agent === undefined) {
      return all;
    }
    // An agent's key lists its own tools, an admin's all of them.
    const names = (await this.#transport.send({ path: path`/api/v1/tools/permissions/${agent}`, signal: options.signal })).body;
    const allowed = new Set(names as string[]);
    return all.filter((tool) => allowed.has(tool.name));
  }

  async authorize(tool: string, parameters: JsonObject, options: AuthorizeOptions = {}): Promise<Permit> {
    const call = {
      ...this.#call(tool, parameters, options),
      tool_call_id: options.toolCallId,
      source: options.source ?? `toolgate-typescript/${VERSION}`,
      expires_in: options.expiresIn,
    };
    const request: Send = { method: 'POST', path: '/api/v1/tools/authorize', body: call, signal: options.signal };
    const first = await this.#outcome(call.request_id, request);
    let outcome = await this.#settled(first, call.agent_id, { wait: DEFAULT_WAIT, ...options });
    if (outcome.outcome === 'authorized' && outcome.parameters === undefined) {
      // A collected permit has no parameters; the same request gets the same permit with them.
      outcome = await this.#outcome(call.request_id, request);
    }
    if (outcome.outcome === 'authorized' && outcome.parameters !== undefined) {
      const { requestId, parameters: permitted, permitExpiresAt: expiresAt } = outcome;
      const report = (body: Report): Promise<Completed | Failed> => this.#report(requestId, call.agent_id, body);
      return new Permit({ requestId, tool, parameters: permitted, expiresAt }, report);
    }
    if (outcome.outcome === 'authorized' || outcome.outcome === 'completed') {
      throw new ToolgateError({
        code: 'PERMIT_USED',
        message: `The outcome of call ${outcome.requestId} was reported before, so it must not run again.`,
        remediation: 'Ask for another permit under another request id.',
        requestId: outcome.requestId,
      });
    }
    throw unexpected(outcome);
  }

  async #report(requestId: string, agent: string, body: Report): Promise<Completed | Failed> {
    const outcome = outcomeOf(
      await this.#transport.send({
        method: 'POST',
        path: path`/api/v1/calls/${requestId}/outcome`,
        query: { agent_id: agent },
        body,
        repeatable: true, // only the first report takes effect
      }),
    );
    if (outcome.outcome === 'completed' || outcome.outcome === 'failed') {
      return outcome;
    }
    throw unexpected(outcome);
  }

  #call(tool: string, parameters: JsonObject, options: CallOptions) {
    const agent = options.agent ?? this.#agent;
    if (agent === undefined) {
      throw new TypeError('Say which agent makes the call: with the option agent, or with TOOLGATE_AGENT.');
    }
    return {
      request_id: options.requestId ?? uuid(),
      agent_id: agent,
      project_id: options.project,
      tool_name: tool,
      operation: options.operation ?? 'call',
      parameters,
      session_id: options.session ?? this.#session,
    };
  }

  /**
   * Sends a call, which is idempotent by its request id. If it is still running, as after a lost response, that is an
   * outcome.
   */
  async #outcome(requestId: string, request: Send): Promise<Outcome | Authorized> {
    try {
      return outcomeOf(
        await this.#transport.send({
          ...request,
          headers: { Prefer: 'respond-async' },
          repeatable: true,
        }),
      );
    } catch (failure) {
      if (failure instanceof ToolgateError && failure.code === RUNNING) {
        return { outcome: 'running', requestId, approvalId: undefined, expiresAt: undefined, retryAfter: failure.retryAfter, raw: {} };
      }
      throw failure;
    }
  }

  async #look(requestId: string, agent: string | undefined, signal: AbortSignal | undefined): Promise<Outcome | Authorized> {
    return outcomeOf(
      await this.#transport.send({ path: path`/api/v1/calls/${requestId}`, query: { agent_id: agent }, signal }),
    );
  }

  /**
   * Waits for the end of a held call, at most for the caller's wait time. A held call survives a restart of the gate,
   * so polling continues even if the gate is unavailable for longer than the retries of one request take.
   */
  async #settled(
    first: Outcome | Authorized,
    agent: string | undefined,
    { wait = 0, signal }: CallOptions,
  ): Promise<Outcome | Authorized> {
    let outcome = first;
    let pause = FIRST_POLL;
    const end = performance.now() + wait;
    while (outcome.outcome === 'pending' || outcome.outcome === 'running') {
      const left = end - performance.now();
      if (!(left > 0)) {
        break;
      }
      const asked: number | undefined = outcome.retryAfter;
      await delay(Math.min(left, asked === undefined ? pause : Math.min(asked * 1000, MAX_POLL)), signal);
      pause = Math.min(MAX_POLL, pause * 2);
      try {
        outcome = await this.#look(outcome.requestId, agent, signal);
      } catch (failure) {
        if (!(failure instanceof ToolgateError) || !failure.retryable || performance.now() >= end) {
          throw failure;
        }
      }
    }
    return outcome;
  }
}

function unpermitted(outcome: Outcome | Authorized): Outcome {
  if (outcome.outcome === 'authorized') {
    throw unexpected(outcome);
  }
  return outcome;
}

/** The error of an outcome that is not the wanted one. */
function unexpected(outcome: Outcome | Authorized): unknown {
  if (outcome.outcome !== 'authorized') {
    try {
      resultOf(outcome);
    } catch (failure) {
      return failure;
    }
  }
  return new ToolgateError({
    code: 'UNEXPECTED_RESPONSE',
    message: `The gate answered call ${outcome.requestId} with the outcome '${outcome.outcome}', which does not fit the request.`,
    requestId: outcome.requestId,
  });
}
