import { ToolgateError, type DeniedError } from '../errors.js';
import type { AuthorizeOptions, CallOptions, Gate, Validation } from '../gate.js';
import { outcomeOf, resultOf, type Authorized, type Completed, type Failed, type Outcome } from '../outcome.js';
import { Permit, type Report } from '../permit.js';
import { uuid } from '../time.js';
import type { JsonObject, Tool } from '../wire.js';

/** What a tool returns in a test: text, another JSON value, or a function of the parameters; one that throws is a failing tool. */
export type MockResult = unknown | ((parameters: JsonObject, agent: string) => unknown);

/** Settings of a {@link MockToolgate}. */
export interface MockOptions {
  /** What tools return; `ok` if left out. */
  results?: Record<string, MockResult> | undefined;
  /** Tools whose calls are held. */
  requiresApproval?: readonly string[] | undefined;
  /**
   * The outcome of held calls: approved at once, denied, not answered in time, or held until
   * {@link MockToolgate.answer}.
   */
  approvals?: 'auto' | 'deny' | 'timeout' | 'pending' | undefined;
  /** The agent of calls that name none. */
  agent?: string | undefined;
}

/** A call that was made. */
export interface MockCall {
  readonly requestId: string;
  readonly agent: string;
  readonly tool: string;
  readonly parameters: JsonObject;
  readonly operation: string;
  /** Who runs the tool. */
  readonly executedBy: 'gate' | 'client';
  /** Its current outcome. */
  outcome: Outcome['outcome'] | Authorized['outcome'];
  /** What the caller reported, if it ran the tool itself. */
  report?: Report;
}

/** A gate in memory, for unit tests of agents: deny by default, with the outcomes and errors of the real one. */
export class MockToolgate implements Gate {
  /** Every call, oldest first. */
  readonly calls: MockCall[] = [];
  /** Every refusal that an agent escalated. */
  readonly escalations: { readonly agent: string; readonly denied: DeniedError }[] = [];
  readonly #permissions: Map<string, Set<string>>;
  readonly #options: MockOptions;
  readonly #bodies = new Map<string, JsonObject>();

  /** @param permissions the tools of every agent */
  constructor(permissions: Record<string, readonly string[]> = {}, options: MockOptions = {}) {
    this.#permissions = new Map(Object.entries(permissions).map(([agent, tools]) => [agent, new Set(tools)]));
    this.#options = options;
  }

  /** Grants tools from now on. */
  grant(agent: string, ...tools: string[]): void {
    this.#permissions.set(agent, new Set([...this.#allowed(agent), ...tools]));
  }

  /** Revokes tools from now on. */
  revoke(agent: string, ...tools: string[]): void {
    this.#permissions.set(agent, new Set(this.#allowed(agent).filter((tool) => !tools.includes(tool))));
  }

  /** Answers a held call. */
  answer(requestId: string, approved: boolean): void {
    const call = this.#held(requestId);
    this.#bodies.set(requestId, approved ? this.#run(call) : denial(call, 'approval_denied', 'A person refused the call', []));
    call.outcome = this.#outcome(requestId).outcome;
  }

  /** Makes a call and returns the gate's answer as JSON. */
  executeTool(agent: string, tool: string, parameters: JsonObject = {}): JsonObject {
    return this.#bodies.get(this.#make(tool, parameters, { agent }, 'gate').requestId)!;
  }

  async execute(tool: string, parameters: JsonObject = {}, options: CallOptions = {}): Promise<Completed> {
    return resultOf(await this.submit(tool, parameters, options));
  }

  async submit(tool: string, parameters: JsonObject = {}, options: CallOptions = {}): Promise<Outcome> {
    return this.#outcome(this.#make(tool, parameters, options, 'gate').requestId) as Outcome;
  }

  async collect(requestId: string): Promise<Outcome | Authorized> {
    return this.#outcome(requestId);
  }

  async validate(tool: string, _parameters?: JsonObject, options: CallOptions = {}): Promise<Validation> {
    const agent = this.#agent(options);
    const allowedTools = this.#allowed(agent);
    if (allowedTools.includes(tool)) {
      const requiresApproval = this.#options.requiresApproval?.includes(tool) ?? false;
      return { allowed: true, requiresApproval, reason: undefined, raw: { status: 'allowed', logged: false } };
    }
    const raw = refusal('', agent, tool, allowedTools);
    return { allowed: false, reason: raw.reason, violationType: raw.violation_type, allowedTools, suggestion: raw.suggestion, raw };
  }

  async authorize(tool: string, parameters: JsonObject, options: AuthorizeOptions = {}): Promise<Permit> {
    const call = this.#make(tool, parameters, options, 'client');
    const outcome = this.#outcome(call.requestId);
    if (outcome.outcome !== 'authorized') {
      resultOf(outcome);
      throw new ToolgateError({ code: 'PERMIT_USED', message: `The outcome of call ${call.requestId} was reported before.` });
    }
    return new Permit(
      { requestId: call.requestId, tool, parameters: { ...parameters }, expiresAt: outcome.permitExpiresAt },
      async (report) => this.#reported(call, report),
    );
  }

  async tools(options: { agent?: string | undefined } = {}): Promise<Tool[]> {
    return this.#allowed(this.#agent(options)).map((name) => ({
      name,
      aliases: [],
      description: name,
      capability: 'Test',
      category: 'external',
      danger: 'safe',
      executed_by: 'gate',
      input_schema: { type: 'object' },
      result_schema: null,
    }));
  }

  escalated(agent: string, denied: DeniedError): void {
    this.escalations.push({ agent, denied });
  }

  /** Fails unless a refusal was escalated, by this agent if one is given. */
  assertEscalated(agent?: string): void {
    if (!this.escalations.some((each) => agent === undefined || each.agent === agent)) {
      throw new Error(`${agent === undefined ? 'No agent' : `Agent '${agent}'`} escalated ${agent === undefined ? 'a' : 'no'} refusal.`);
    }
  }

  #make(tool: string, parameters: JsonObject, options: CallOptions, executedBy: MockCall['executedBy']): MockCall {
    const requestId = options.requestId ?? uuid();
    const agent = this.#agent(options);
    const earlier = this.calls.find((call) => call.requestId === requestId);
    if (earlier) {
      if (earlier.agent !== agent || earlier.tool !== tool || JSON.stringify(earlier.parameters) !== JSON.stringify(parameters)) {
        throw new ToolgateError({ code: 'REQUEST_ID_TAKEN', message: `Request id '${requestId}' was used before, for a different call` });
      }
      return earlier;
    }
    const call: MockCall = {
      requestId,
      agent,
      tool,
      parameters: structuredClone(parameters),
      operation: options.operation ?? 'call',
      executedBy,
      outcome: 'running',
    };
    this.calls.push(call);
    this.#bodies.set(requestId, this.#decide(call));
    call.outcome = this.#outcome(requestId).outcome;
    return call;
  }

  #decide(call: MockCall): JsonObject {
    const { requestId, agent, tool } = call;
    const allowed = this.#allowed(agent);
    if (!allowed.includes(tool)) {
      return refusal(requestId, agent, tool, allowed);
    }
    if (this.#options.requiresApproval?.includes(tool)) {
      switch (this.#options.approvals ?? 'auto') {
        case 'deny':
          return denial(call, 'approval_denied', 'A person refused the call', allowed);
        case 'timeout':
          return denial(call, 'approval_timeout', 'Nobody approved or denied the call in time', allowed);
        case 'pending':
          return { status: 'pending', request_id: requestId, approval_id: uuid() };
        case 'auto':
      }
    }
    return this.#run(call);
  }

  #run(call: MockCall): JsonObject {
    const { requestId, tool, parameters, agent } = call;
    const answer = { status: 'allowed', request_id: requestId, logged: true };
    if (call.executedBy === 'client') {
      const expires = new Date(Date.now() + 600_000).toISOString();
      return { ...answer, outcome: 'authorized', permit_expires_at: expires, parameters };
    }
    const result = this.#options.results?.[tool] ?? 'ok';
    try {
      return { ...answer, result: success(typeof result === 'function' ? result(parameters, agent) : result) };
    } catch (failure) {
      return { ...answer, outcome: 'failed', result: failed(failure instanceof Error ? failure.message : String(failure)) };
    }
  }

  #reported(call: MockCall, report: Report): Completed | Failed {
    if (!call.report) {
      call.report = report;
      const answer = { status: 'allowed', request_id: call.requestId, logged: true };
      this.#bodies.set(
        call.requestId,
        report.status === 'succeeded'
          ? { ...answer, result: success(report.output ?? '') }
          : { ...answer, outcome: 'failed', result: failed(report.error ?? '') },
      );
      call.outcome = this.#outcome(call.requestId).outcome;
    }
    return this.#outcome(call.requestId) as Completed | Failed;
  }

  #outcome(requestId: string): Outcome | Authorized {
    const body = this.#bodies.get(requestId);
    if (!body) {
      throw new ToolgateError({ code: 'INVALID_REQUEST', message: `There is no call '${requestId}'.` });
    }
    return outcomeOf({ status: 200, headers: new Headers(), body });
  }

  #held(requestId: string): MockCall {
    const call = this.calls.find((each) => each.requestId === requestId);
    if (call?.outcome !== 'pending') {
      throw new ToolgateError({ code: 'INVALID_REQUEST', message: `There is no held call '${requestId}'.` });
    }
    return call;
  }

  #agent(options: { agent?: string | undefined }): string {
    const agent = options.agent ?? this.#options.agent;
    if (agent === undefined) {
      throw new TypeError('Say which agent makes the call, with the option agent.');
    }
    return agent;
  }

  #allowed(agent: string): string[] {
    return [...(this.#permissions.get(agent) ?? [])];
  }
}

function success(value: unknown): JsonObject {
  return typeof value === 'string'
    ? { success: true, data: value }
    : { success: true, data: JSON.stringify(value) ?? '', structured: value };
}

function failed(message: string): JsonObject {
  const error = { code: 'TOOL_EXECUTION_FAILED', message, retryable: false, remediation: 'Read the message, correct the arguments and try again.' };
  return { success: false, data: message, error };
}

function denial(call: MockCall, type: string, reason: string, allowed: string[]): JsonObject {
  const suggestion = type === 'approval_denied' ? 'Choose another way.' : 'Send the call again when somebody can approve it.';
  return { status: 'denied', request_id: call.requestId, reason, violation_type: type, allowed_tools: allowed, suggestion, logged: true };
}

function refusal(requestId: string, agent: string, tool: string, allowed: string[]) {
  return {
    status: 'denied',
    request_id: requestId,
    reason: `Agent '${agent}' not permitted to use tool '${tool}'`,
    violation_type: 'permission_denied',
    allowed_tools: allowed,
    suggestion: `Use one of the allowed tools, or ask an operator to grant '${tool}' to agent '${agent}'.`,
    logged: true,
  };
}
