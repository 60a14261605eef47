import { ApprovalDenied, DeniedError } from './errors.js';
import type { CallOptions, Gate } from './gate.js';
import type { Completed } from './outcome.js';
import type { JsonObject } from './wire.js';

/** The options of a call by an agent. */
export interface UseOptions extends Omit<CallOptions, 'agent'> {
  /** Whether the work depends on this tool, so that a refusal is escalated. */
  critical?: boolean | undefined;
  /** Tools to use instead, in this order, if the agent may use them. */
  alternatives?: readonly (string | { readonly tool: string; readonly parameters: JsonObject })[] | undefined;
}

/** Asks for help with a refusal, and returns whether to retry the call once. */
export type Escalation = (denied: DeniedError, agent: GatedAgent) => boolean | void | Promise<boolean | void>;

/**
 * A base class for agents. The agent handles a refused call itself: it uses an alternative, and escalates only critical
 * calls. A call that a person refused is never escalated.
 */
export class GatedAgent {
  readonly gate: Gate;
  readonly id: string;
  readonly #escalation: Escalation | undefined;

  /** @param escalation asks for help; subclasses may override {@link escalate} instead */
  constructor(gate: Gate, id: string, escalation?: Escalation) {
    this.gate = gate;
    this.id = id;
    this.#escalation = escalation;
  }

  /** Uses a tool, or one of its alternatives. Throws the first refusal if none of them may be used. */
  async use(tool: string, parameters: JsonObject = {}, options: UseOptions = {}): Promise<Completed> {
    const { critical, alternatives = [], requestId, ...call } = options;
    let denied: DeniedError;
    try {
      return await this.gate.execute(tool, parameters, { ...call, requestId, agent: this.id });
    } catch (failure) {
      if (!(failure instanceof DeniedError)) {
        throw failure;
      }
      denied = failure;
    }
    await this.onDenied(denied);
    for (const alternative of alternatives) {
      const other = typeof alternative === 'string' ? { tool: alternative, parameters } : alternative;
      if (denied.allowedTools.includes(other.tool)) {
        try {
          return await this.gate.execute(other.tool, other.parameters, { ...call, agent: this.id });
        } catch (failure) {
          if (!(failure instanceof DeniedError)) {
            throw failure;
          }
        }
      }
    }
    if (critical && !(denied instanceof ApprovalDenied)) {
      this.gate.escalated?.(this.id, denied);
      if (await this.escalate(denied)) {
        // The same request id would return the refusal again, so the retry has a new one.
        return this.gate.execute(tool, parameters, { ...call, agent: this.id });
      }
    }
    throw denied;
  }

  /** The names of the tools that this agent may use. */
  async availableTools(): Promise<string[]> {
    return (await this.gate.tools({ agent: this.id })).map((tool) => tool.name);
  }

  /** Asks for help with a refusal of a critical call; true to try the call once more. */
  async escalate(denied: DeniedError): Promise<boolean> {
    return (await this.#escalation?.(denied, this)) === true;
  }

  /** Called for every refusal, before alternatives and escalation; does nothing by default. */
  onDenied(_denied: DeniedError): void | Promise<void> {}
}
