import { ApprovalPending, DeniedError, RateLimited, Toolgate, VERSION, type AuthorizeOptions, type Completed, type Gate, type Permit } from '@toolgate/client';
import { dynamicTool, jsonSchema, type ToolSet } from 'ai';
import { jsonArguments } from './arguments.js';
import { gatedExecute, type Execute, type Options } from './gated-execute.js';
import { modelName } from './model-name.js';
import { ToolNotRun } from './tool-not-run.js';

/** The options for all calls of an {@link AiSdkGate}. */
export interface AiSdkGateOptions extends Pick<AuthorizeOptions, 'agent' | 'session' | 'project' | 'wait' | 'expiresIn'> {
  /** The name at the gate of a tool of the framework; the same if left out. */
  toolName?: ((name: string) => string) | undefined;
}

/** What a tool of the gate returned; the model gets `data`. */
export type GateToolOutput = Pick<Completed, 'requestId' | 'success' | 'data' | 'structured' | 'artifacts'>;

type AnyTool = ToolSet[string];

const SOURCE = `toolgate-ai-sdk/${VERSION}`;

/** The gate for the tools of the AI SDK. */
export class AiSdkGate {
  readonly #client: Gate;
  readonly #options: AiSdkGateOptions;

  /** @param client by default configured by `TOOLGATE_URL`, `TOOLGATE_KEY` and `TOOLGATE_AGENT` */
  constructor(client: Gate = new Toolgate(), options: AiSdkGateOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * The same tools under the gate: each call runs only with a permit of its own, and its outcome is reported. Tools
   * that the
   * AI SDK does not run itself cannot be put under the gate, and are refused.
   */
  wrap<TOOLS extends ToolSet>(tools: TOOLS): TOOLS {
    const offered = Object.keys(tools);
    return Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, this.#gated(name, tool, offered)])) as TOOLS;
  }

  /**
   * The tools that the gate runs and that the agent may use. Names that models do not accept, such as `server/tool`, are changed to
   * ones that they do.
   */
  async tools(): Promise<ToolSet> {
    const { agent } = this.#options;
    const offered: ToolSet = Object.create(null) as ToolSet;
    for (const { name, description, input_schema, executed_by } of await this.#client.tools({ agent })) {
      if (executed_by === 'gate') {
        const key = modelName(name);
        if (key in offered) {
          throw new TypeError(`Two tools of the gate would be called '${key}'.`);
        }
        offered[key] = this.#offered(name, description, input_schema);
      }
    }
    return { ...offered };
  }

  #offered(name: string, description: string, schema: object): AnyTool {
    const { expiresIn: _, toolName: __, ...call } = this.#options;
    return dynamicTool({
      description,
      inputSchema: jsonSchema(schema),
      execute: async (input, { abortSignal: signal }): Promise<GateToolOutput> => {
        try {
          const { requestId, success, data, structured, artifacts } = await this.#client.execute(name, jsonArguments(input), { ...call, signal });
          return { requestId, success, data, structured, artifacts };
        } catch (failure) {
          // After other failures it is unknown whether the tool ran.
          const held = failure instanceof ApprovalPending && failure.code === 'APPROVAL_REQUIRED';
          throw held || failure instanceof DeniedError || failure instanceof RateLimited ? new ToolNotRun(name, failure) : failure;
        }
      },
      toModelOutput: ({ output }) => {
        const { success, data } = output as GateToolOutput;
        return { type: success ? 'text' : 'error-text', value: data };
      },
    }) as AnyTool;
  }

  #gated(name: string, tool: AnyTool, offered: readonly string[]): AnyTool {
    // The AI SDK replaces the function of a tool that calls other tools, and with it the wrapper made here.
    if (typeof tool.execute !== 'function' || tool.isProviderExecuted === true || 'experimental_toolCaller' in tool) {
      throw new TypeError(`'${name}' has no function that can be put under the gate: leave it out of wrap(), or give it one.`);
    }
    const execute = gatedExecute(tool as { execute: Execute }, (input, options) => this.#permit(name, input, options, offered));
    return { ...tool, execute } as AnyTool;
  }

  async #permit(name: string, input: unknown, { toolCallId, abortSignal: signal }: Options, offered: readonly string[]): Promise<Permit> {
    const { toolName = (same: string) => same, ...call } = this.#options;
    try {
      // Without a request id, so that every run has a permit of its own, even a second run of the same call.
      return await this.#client.authorize(toolName(name), jsonArguments(input), { ...call, toolCallId, source: SOURCE, signal });
    } catch (failure) {
      signal?.throwIfAborted();
      const allowed = failure instanceof DeniedError ? offered.filter((each) => failure.allowedTools.includes(toolName(each))) : [];
      throw new ToolNotRun(name, failure, allowed);
    }
  }
}
