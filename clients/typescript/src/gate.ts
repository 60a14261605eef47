import type { DeniedError } from './errors.js';
import type { Authorized, Completed, Outcome } from './outcome.js';
import type { Permit } from './permit.js';
import type { JsonObject, Tool } from './wire.js';

/** What every call may say in addition. Times are in milliseconds. */
export interface CallOptions {
  /** The agent that makes the call, if not the client's. */
  agent?: string | undefined;
  /** What is done with the tool, for the record and for conditions; `call` if left out. */
  operation?: string | undefined;
  /** The session whose policy applies, if not the client's. */
  session?: string | undefined;
  /** The project it is for. */
  project?: string | undefined;
  /** The id of the call; repeating it runs nothing. A UUID if left out. */
  requestId?: string | undefined;
  /** How long to wait while the call is held; ten minutes for `execute` and `authorize`, not at all for `submit`. */
  wait?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** What a request for a permit may say in addition. */
export interface AuthorizeOptions extends CallOptions {
  /** The id that the model gave the call. */
  toolCallId?: string | undefined;
  /** The program that will run the tool, and its version. */
  source?: string | undefined;
  /** For how many seconds the permit is wanted. */
  expiresIn?: number | undefined;
}

/** Whether a call would be allowed. */
export type Validation =
  | { readonly allowed: true; readonly requiresApproval: boolean; readonly reason: string | undefined; readonly raw: JsonObject }
  | {
      readonly allowed: false;
      readonly reason: string;
      readonly violationType: string;
      readonly allowedTools: readonly string[];
      readonly suggestion: string;
      readonly raw: JsonObject;
    };

/** What agents need of the gate; implemented by `Toolgate` and by `MockToolgate` for tests. */
export interface Gate {
  /** Runs a tool and returns its result; every other outcome is thrown. */
  execute(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Completed>;
  /** Makes a call and returns its outcome, whatever it is. */
  submit(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Outcome>;
  /** The outcome of an earlier call. */
  collect(requestId: string, options?: CallOptions): Promise<Outcome | Authorized>;
  /** Whether a call would be allowed; nothing runs and nothing is recorded. */
  validate(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Validation>;
  /** Asks for a permit to run a tool oneself; refusals are thrown. */
  authorize(tool: string, parameters: JsonObject, options?: AuthorizeOptions): Promise<Permit>;
  /** The tools that the agent may use. */
  tools(options?: { agent?: string | undefined; signal?: AbortSignal | undefined }): Promise<Tool[]>;
  /** Told by agents that pass a refusal on to somebody else. */
  escalated?(agent: string, denied: DeniedError): void;
}
