import { ToolgateError } from './errors.js';
import { connectionOf, type ConnectionOptions } from './settings.js';
import { delay, retryAfterOf, uuid } from './time.js';
import { Transport, path } from './transport.js';
import { objectOf, type JsonObject, type Wire } from './wire.js';

/** One call by an agent host. */
export interface ToolRequest {
  readonly toolName: string;
  readonly arguments: JsonObject;
  readonly taskId: string;
  readonly stepId: string;
  /** The router's session if left out. */
  readonly sessionId?: string | undefined;
  readonly workspaceId?: string | undefined;
  /** The id of the call; a UUID if left out. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a call. */
export interface ToolResult {
  readonly toolName: string;
  readonly sessionId: string;
  readonly taskId: string;
  readonly stepId: string;
  readonly status: 'succeeded' | 'failed' | 'denied' | (string & {});
  readonly outputText?: string;
  readonly artifactUris?: readonly string[];
  readonly error?: { readonly code: string; readonly message: string };
}

/** The definition of a tool for a model. */
export interface ToolDefinition {
  readonly toolName: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly requiresCapability?: string;
}

/** Through which an agent host calls tools, wherever they run. */
export interface ToolRouter {
  execute(request: ToolRequest): Promise<ToolResult>;
  getAvailableTools(): ToolDefinition[];
}

/** Settings of a {@link RemoteToolRouter}. */
export interface RemoteToolRouterOptions extends ConnectionOptions {
  /** The session that the host works in. */
  session: string;
  workspace?: string | undefined;
  /** How many milliseconds to wait while a call is held; ten minutes if left out. */
  wait?: number | undefined;
}

const MAX_POLL = 5_000;

/** Runs tools at the gate, in a policy session. Every failure is returned as a result, so that the model sees it. */
export class RemoteToolRouter implements ToolRouter {
  readonly #transport: Transport;
  readonly #session: string;
  readonly #workspace: string | undefined;
  readonly #wait: number;
  #tools: ToolDefinition[] = [];

  private constructor(options: RemoteToolRouterOptions) {
    this.#transport = new Transport(connectionOf(options));
    this.#session = options.session;
    this.#workspace = options.workspace;
    this.#wait = options.wait ?? 600_000;
  }

  /** A router that knows the tools of its session. */
  static async connect(options: RemoteToolRouterOptions): Promise<RemoteToolRouter> {
    const router = new RemoteToolRouter(options);
    await router.refresh();
    return router;
  }

  /** Fetches the tools of the session again. */
  async refresh(options: { signal?: AbortSignal | undefined } = {}): Promise<void> {
    const answer = await this.#transport.send({ path: '/tools', query: { sessionId: this.#session }, signal: options.signal });
    this.#tools = (answer.body as Wire['DoorTools']).tools.map(({ toolName, description, inputSchema, requiresCapability }) => ({
      toolName,
      description,
      inputSchema: objectOf(inputSchema),
      requiresCapability,
    }));
  }

  getAvailableTools(): ToolDefinition[] {
    return [...this.#tools];
  }

  async execute(request: ToolRequest): Promise<ToolResult> {
    const { toolName, taskId, stepId } = request;
    const sessionId = request.sessionId ?? this.#session;
    const failed = (code: string, message: string): ToolResult => ({
      toolName,
      sessionId,
      taskId,
      stepId,
      status: 'failed',
      error: { code, message },
    });
    try {
      return (await this.#invoke(request, sessionId)) ?? failed('APPROVAL_REQUIRED', 'The call still waits for an approval.');
    } catch (failure) {
      if (failure instanceof ToolgateError) {
        return failed(failure.code, failure.message);
      }
      throw failure;
    }
  }

  /** The result, or undefined if the call still waits when the time is over. */
  async #invoke(request: ToolRequest, sessionId: string): Promise<ToolResult | undefined> {
    const { toolName, taskId, stepId, signal } = request;
    const requestId = request.requestId ?? uuid();
    const end = performance.now() + this.#wait;
    let answer = await this.#transport.send({
      method: 'POST',
      path: path`/tools/${toolName}/invoke`,
      headers: { Prefer: 'respond-async' },
      body: {
        sessionId,
        taskId,
        stepId,
        workspaceId: request.workspaceId ?? this.#workspace,
        toolName,
        arguments: request.arguments,
        requestId,
      },
      repeatable: true,
      signal,
    });
    while (answer.status === 202) {
      const left = end - performance.now();
      if (!(left > 0)) {
        return undefined;
      }
      await delay(Math.min(left, (retryAfterOf(answer.headers) ?? 0.25) * 1000, MAX_POLL), signal);
      answer = await this.#transport.send({
        path: path`/tools/${toolName}/invocations/${requestId}`,
        query: { sessionId, taskId, stepId },
        signal,
      });
    }
    return answer.body as ToolResult;
  }
}
