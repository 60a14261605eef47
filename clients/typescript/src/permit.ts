import { OutcomeNotReported, ToolgateError } from './errors.js';
import type { Completed, Failed } from './outcome.js';
import type { JsonObject } from './wire.js';

/** The outcome of a tool that its caller ran. */
export interface Report {
  status: 'succeeded' | 'failed';
  output?: unknown;
  error?: string;
  execution_time_ms: number;
}

/** A permit to run a tool once, with exactly its parameters. */
export class Permit {
  readonly requestId: string;
  readonly tool: string;
  readonly parameters: JsonObject;
  /** Until when the outcome must be reported. */
  readonly expiresAt: string;
  readonly #report: (report: Report) => Promise<Completed | Failed>;
  readonly #begun = performance.now();
  #used = false;

  constructor(
    fields: { requestId: string; tool: string; parameters: JsonObject; expiresAt: string },
    report: (report: Report) => Promise<Completed | Failed>,
  ) {
    this.requestId = fields.requestId;
    this.tool = fields.tool;
    this.parameters = fields.parameters;
    this.expiresAt = fields.expiresAt;
    this.#report = report;
  }

  /**
   * Runs the tool and reports its outcome: what the function returns, or what it throws. Returns what the function
   * returned. A permit is for one run.
   */
  async run<T>(tool: (parameters: JsonObject) => T | Promise<T>): Promise<T> {
    const started = this.#begin();
    let value: T;
    try {
      value = await tool(this.parameters);
    } catch (failure) {
      await this.#threw(failure, started);
      throw failure;
    }
    await this.#returned(value, started);
    return value;
  }

  /**
   * Runs a tool that yields its output in parts, and passes them on. The last part is reported as the output; a reader
   * that stops
   * earlier is reported as a failure.
   */
  async *stream<T>(tool: (parameters: JsonObject) => AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const started = this.#begin();
    let last: T | undefined;
    let ended = false;
    try {
      for await (const part of tool(this.parameters)) {
        last = part;
        yield part;
      }
      ended = true;
    } catch (failure) {
      ended = true;
      await this.#threw(failure, started);
      throw failure;
    } finally {
      if (!ended) {
        await this.#threw(new Error('It was stopped before its end.'), started);
      }
    }
    await this.#returned(last, started);
  }

  #begin(): number {
    if (this.#used) {
      throw new ToolgateError({
        code: 'PERMIT_USED',
        message: `The permit ${this.requestId} was used before, and is for one run.`,
        remediation: 'Ask for another permit.',
        requestId: this.requestId,
      });
    }
    this.#used = true;
    return performance.now();
  }

  // The tool's error is thrown even if the report fails: the gate then records an interruption.
  async #threw(failure: unknown, started: number): Promise<void> {
    await this.failed(failure, this.#elapsed(started)).catch(() => undefined);
  }

  async #returned(value: unknown, started: number): Promise<void> {
    try {
      await this.succeeded(value, this.#elapsed(started));
    } catch (failure) {
      const code = failure instanceof ToolgateError ? failure.code : 'CONNECTION_FAILED';
      throw new OutcomeNotReported({
        code,
        // Frameworks show this to models, which must not retry and must not see the gate's address.
        message: `'${this.tool}' ran, but its outcome could not be reported (${code}). Do not run it again.`,
        remediation: 'What it returned is in value, and what went wrong in cause.',
        requestId: this.requestId,
        correlationId: failure instanceof ToolgateError ? failure.correlationId : undefined,
        value,
        cause: failure,
      });
    }
  }

  #elapsed(since: number = this.#begun): number {
    return Math.round(performance.now() - since);
  }

  /**
   * Reports success, by default with the time since the permit was given. Only the first report takes effect; every
   * report returns the recorded outcome.
   */
  succeeded(output?: unknown, milliseconds = this.#elapsed()): Promise<Completed | Failed> {
    this.#used = true;
    return this.#report({ status: 'succeeded', ...outputField(output), execution_time_ms: milliseconds });
  }

  /** Reports a failure. */
  failed(error: unknown, milliseconds = this.#elapsed()): Promise<Completed | Failed> {
    this.#used = true;
    return this.#report({ status: 'failed', error: textOfError(error), execution_time_ms: milliseconds });
  }
}

function outputField(output: unknown): { output?: unknown } {
  if (output === undefined) {
    return {};
  }
  try {
    return { output: JSON.stringify(output) === undefined ? String(output) : output };
  } catch {
    return { output: String(output) };
  }
}

function textOfError(error: unknown): string {
  return (error instanceof Error ? error.message || error.name : String(error)) || 'failed';
}
