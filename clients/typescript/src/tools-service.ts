import { ToolFailed, ToolgateError } from './errors.js';
import { connectionOf, type ConnectionOptions } from './settings.js';
import { uuid } from './time.js';
import { Transport } from './transport.js';
import { objectOf, textOf, type Wire } from './wire.js';

/** Arguments and results of the documented actions. */
export interface ToolActions {
  readFile: { args: { path: string; offset?: number; limit?: number }; result: { content: string; truncated?: boolean; nextOffset?: number } };
  writeFile: { args: { path: string; content: string }; result: { message: string } };
  listFiles: { args: { path: string }; result: { files: string[] } };
  executeShellCommand: { args: { command: string }; result: { stdout: string; stderr: string; exitCode: number } };
  browse_web: { args: { url: string; task_description: string }; result: { summary: string } };
  github_create_repo: { args: { name: string; description?: string; is_private?: boolean }; result: { repo_url: string } };
  github_get_pr_details: { args: { pr_url: string }; result: { title: string; body: string; files: string[] } };
  github_post_pr_comment: { args: { pr_url: string; comment: string }; result: { message: string } };
  github_merge_pr: { args: { pr_url: string; method?: 'merge' | 'squash' | 'rebase' }; result: { message: string } };
  github_create_file_in_repo: {
    args: { repo_name: string; path: string; content: string; commit_message: string };
    result: { commit_sha: string };
  };
  memory_save: { args: { key: string; value: string; tags?: string[] }; result: { message: string } };
  memory_retrieve: { args: { key?: string; tags?: string[] }; result: { items: { key: string; value: string; tags: string[] }[] } };
  memory_delete: { args: { key: string }; result: { message: string } };
  data_analyze: { args: { input_file_path: string; analysis_script: string }; result: { stdout: string } };
  data_visualize: {
    args: { input_file_path: string; visualization_script: string; output_image_path: string };
    result: { message: string; output_image_path: string };
  };
}

type ArgsOf<T extends string> = T extends keyof ToolActions ? ToolActions[T]['args'] : Record<string, unknown>;
type ResultOf<T extends string> = T extends keyof ToolActions ? ToolActions[T]['result'] : unknown;

/** What a tool action returned. */
export interface ActionResult<T> {
  readonly result: T;
  readonly artifacts: NonNullable<Wire['ToolActionResult']['artifacts']>;
  readonly correlationId: string;
}

/** A tool that a front end may use. */
export type ToolAction = Wire['DoorTools']['tools'][number];

const FAILURES = new Set(['TOOL_EXECUTION_FAILED', 'TOOL_EXECUTION_TIMEOUT', 'FILE_NOT_FOUND', 'FILE_TOO_LARGE', 'KEY_NOT_FOUND']);

/**
 * The tool backend for web front ends. It acts as the agent of the key, or without a key as the agent that the gate
 * has for that; `agent` is for the keys of orchestrators and admins.
 */
export class ToolsService {
  readonly #transport: Transport;
  readonly #headers: Record<string, string | undefined>;

  constructor(options: ConnectionOptions = {}) {
    this.#transport = new Transport(connectionOf(options));
    this.#headers = { 'X-Agent-ID': options.agent };
  }

  /** Whether the service is ready. */
  async health(options: { signal?: AbortSignal | undefined } = {}): Promise<{ status: string; service: string; timestamp: string }> {
    return (await this.#transport.send({ path: '/health', signal: options.signal })).body as {
      status: string;
      service: string;
      timestamp: string;
    };
  }

  /** The tools with their schemas. */
  async listTools(options: { signal?: AbortSignal | undefined } = {}): Promise<ToolAction[]> {
    const answer = await this.#transport.send({ path: '/tools', headers: this.#headers, signal: options.signal });
    return (answer.body as Wire['DoorTools']).tools;
  }

  /** Runs one action and returns its result. */
  async executeTool<T extends keyof ToolActions | (string & {})>(
    tool: T,
    args: ArgsOf<T>,
    options: { correlationId?: string | undefined; signal?: AbortSignal | undefined } = {},
  ): Promise<ActionResult<ResultOf<T>>> {
    const correlationId = options.correlationId ?? uuid();
    try {
      const answer = await this.#transport.send({
        method: 'POST',
        path: '/execute-tool',
        headers: { ...this.#headers, 'X-Correlation-ID': correlationId },
        body: { tool, args, correlationId },
        signal: options.signal,
        repeatable: false, // sending it again would run the tool again
      });
      const body = objectOf(answer.body);
      return {
        result: body['result'] as ResultOf<T>,
        artifacts: (body['artifacts'] ?? []) as ActionResult<unknown>['artifacts'],
        correlationId: textOf(body['correlationId']) ?? correlationId,
      };
    } catch (failure) {
      if (failure instanceof ToolgateError && FAILURES.has(failure.code)) {
        const { code, message, remediation, retryable, details } = failure;
        const partialOutput = textOf(details['partialOutput']);
        throw new ToolFailed({ code, message, remediation, retryable, correlationId, details, partialOutput, cause: failure });
      }
      throw failure;
    }
  }
}
