import type { DeniedError } from './errors.js';
import type { Authorized, Completed, Outcome } from './outcome.js';
import type { Permit } from './permit.js';
import type { JsonObject, Tool } from './wire.js';

/** The options of every call. Times are in milliseconds. */
export interface CallOptions {
  /** The agent that makes the call, if not the client's. */
  agent?: string | undefined;
  /** What is done with the tool, for the record and for conditions; `call` if left out. */
  operation?: string | undefined;
  /** The session whose policy applies, if not the client's. */
  session?: string | undefined;
  /** The project it is for. */
  project?: string | undefined;
  /** The id of the call; a call with the same id runs only once. A UUID if left out. */
  requestId?: string | undefined;
  /** How long to wait while the call is held; ten minutes for `execute` and `authorize`, not at all for `submit`. */
  wait?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The options of a request for a permit. */
export interface AuthorizeOptions extends CallOptions {
  /** The id that the model gave the call. */
  toolCallId?: string | undefined;
  /** The program that will run the tool, and its version. */
  source?: string | undefined;
  /** The lifetime of the permit in seconds. */
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

/** The part of the gate that agents need; implemented by `Toolgate` and by `MockToolgate` for tests. */
export interface Gate {
  /** Runs a tool and returns its result; every other outcome is thrown. */
  execute(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Completed>;
  /** Makes a call and returns its outcome; no outcome is thrown. */
  submit(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Outcome>;
  /** The outcome of an earlier call. */
  collect(requestId: string, options?: CallOptions): Promise<Outcome | Authorized>;
  /** Whether a call would be allowed; nothing runs and nothing is recorded. */
  validate(tool: string, parameters?: JsonObject, options?: CallOptions): Promise<Validation>;
  /** Asks for a permit to run a tool in the caller; refusals are thrown. */
  authorize(tool: string, parameters: JsonObject, options?: AuthorizeOptions): Promise<Permit>;
  /** The tools that the agent may use. */
  tools(options?: { agent?: string | undefined; signal?: AbortSignal | undefined }): Promise<Tool[]>;
  /** Called by agents when they escalate a refusal. */
  escalated?(agent: string, denied: DeniedError): void;
}
