import type { LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import assert from 'node:assert/strict';

/** What the model says next: text, or calls of tools as [id, tool, input]. */
export type Said = string | [id: string, tool: string, input: unknown][];

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that says these things, one a step. */
export function modelSaying(...script: (Said | Error)[]): MockLanguageModelV4 {
  let step = 0;
  const next = (): LanguageModelV4GenerateResult => {
    const said = script[step++] ?? assert.fail('the model was asked once more than scripted');
    if (said instanceof Error) {
      throw said;
    }
    return {
      content:
        typeof said === 'string'
          ? [{ type: 'text', text: said }]
          : said.map(([toolCallId, toolName, input]) => ({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) })),
      finishReason: { unified: typeof said === 'string' ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  };
  return new MockLanguageModelV4({
    doGenerate: async () => next(),
    doStream: async () => {
      const { content, finishReason } = next();
      const parts = content.flatMap((part): LanguageModelV4StreamPart[] =>
        part.type === 'text'
          ? [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: part.text }, { type: 'text-end', id: '0' }]
          : [part as LanguageModelV4StreamPart],
      );
      return { stream: convertArrayToReadableStream<LanguageModelV4StreamPart>([...parts, { type: 'finish', finishReason, usage }]) };
    },
  });
}

/** What the model was told of its calls, by their ids. */
export function told(model: MockLanguageModelV4): Record<string, { type: string; value: unknown }> {
  const last = [...model.doGenerateCalls, ...model.doStreamCalls].at(-1) ?? assert.fail('the model was not asked');
  const results = last.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []));
  return Object.fromEntries(
    results.flatMap((part) =>
      part.type === 'tool-result' ? [[part.toolCallId, { type: part.output.type, value: 'value' in part.output ? part.output.value : undefined }]] : [],
    ),
  );
}
