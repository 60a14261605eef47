import type { Permit } from '@toolgate/client';
import type { ToolExecutionOptions } from 'ai';
import { permittedInput } from './arguments.js';

export type Options = ToolExecutionOptions<unknown>;

/** The function of a tool, as the AI SDK calls it. */
export type Execute = (input: unknown, options: Options) => unknown;

type Authorize = (input: unknown, options: Options) => Promise<Permit>;

const AsyncGeneratorFunction = async function* () {}.constructor as FunctionConstructor;

/** The function of a tool that gets a permit, runs the tool with what was permitted, and reports what it returned or threw. */
export function gatedExecute(tool: { execute: Execute }, authorize: Authorize): Execute {
  // The outcome is reported even if the run was aborted, since the tool may have had an effect. A tool that has not
  // started does not start.
  const run = (input: unknown, permit: Permit, options: Options): unknown => {
    options.abortSignal?.throwIfAborted();
    return tool.execute(permittedInput(input, permit.parameters), options);
  };
  // The AI SDK tells streamed output by the returned value, before it is awaited, so the two kinds need a function
  // each.
  if (tool.execute instanceof AsyncGeneratorFunction) {
    return async function* (input, options) {
      const permit = await authorize(input, options);
      yield* permit.stream(() => run(input, permit, options) as AsyncIterable<unknown>);
    };
  }
  return async (input, options) => {
    const permit = await authorize(input, options);
    return permit.run(async () => {
      const output = await run(input, permit, options);
      return isAsyncIterable(output) ? lastOf(output) : output;
    });
  };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

async function lastOf(parts: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const part of parts) {
    last = part;
  }
  return last;
}
