import { text, type Problem } from './wire';

export interface Question {
  approvalId: string;
  reason: string;
  preview: string;
  expiresAt: string;
  /** Whether an answer was sent; the server reports the result. */
  answered: boolean;
}

export interface ToolBlock {
  kind: 'tool';
  id: string;
  name: string;
  input: Record<string, unknown>;
  state: 'asked' | 'running' | 'success' | 'error' | 'denied';
  question: Question | null;
  output: string;
  outputCut: boolean;
  result: string;
}

/** A part of an answer, in the order in which they came. */
export type Block = { kind: 'text'; text: string } | { kind: 'thinking'; text: string } | ToolBlock;

export interface Said {
  role: 'user';
  text: string;
}

export interface Answer {
  role: 'assistant';
  id: string;
  model: string;
  blocks: Block[];
  state: 'running' | 'done' | 'stopped' | 'failed';
  stopReason: string;
  problem: Problem | null;
  /** The number of requests to the model; an estimate while it answers, since parallel tools may count as several. */
  turns: number;
}

export type Message = Said | Answer;

/** The newest output of a running tool that is kept; the whole result is in the records. */
const MAX_OUTPUT = 64 * 1024;

export function newAnswer(): Answer {
  return { role: 'assistant', id: '', model: '', blocks: [], state: 'running', stopReason: '', problem: null, turns: 1 };
}

/** After a tool has ended, the next event implies another request to the model. */
function turnsBefore(answer: Answer): number {
  const last = answer.blocks.at(-1);
  const over = last?.kind === 'tool' && last.state !== 'asked' && last.state !== 'running';
  return over ? answer.turns + 1 : answer.turns;
}

/** Adds to the last block, or begins one. */
export function withPiece(answer: Answer, kind: 'text' | 'thinking', piece: string): Answer {
  const last = answer.blocks.at(-1);
  if (last?.kind === kind) {
    return { ...answer, blocks: [...answer.blocks.slice(0, -1), { kind, text: last.text + piece }] };
  }
  return { ...answer, turns: turnsBefore(answer), blocks: [...answer.blocks, { kind, text: piece }] };
}

/** Changes the block of a tool call; creates it on the first event of the call. */
export function withTool(
  answer: Answer,
  payload: Record<string, unknown>,
  change: (block: ToolBlock) => Partial<ToolBlock>,
): Answer {
  const id = text(payload, 'toolId');
  // The newest, since an id is unique only within one request to the model.
  const at = answer.blocks.findLastIndex(
    (block) => block.kind === 'tool' && block.id === id && (block.state === 'asked' || block.state === 'running'),
  );
  if (at >= 0) {
    const block = answer.blocks[at] as ToolBlock;
    return { ...answer, blocks: answer.blocks.with(at, { ...block, ...change(block) }) };
  }
  const metadata = payload['metadata'] as { toolName?: string } | undefined;
  const begun: ToolBlock = {
    kind: 'tool',
    id,
    name: text(payload, 'toolName') || (metadata?.toolName ?? ''),
    input: (payload['input'] as Record<string, unknown> | undefined) ?? {},
    state: 'running',
    question: null,
    output: '',
    outputCut: false,
    result: '',
  };
  return { ...answer, turns: turnsBefore(answer), blocks: [...answer.blocks, { ...begun, ...change(begun) }] };
}

export function withOutput(block: ToolBlock, chunk: string): Partial<ToolBlock> {
  const output = block.output + chunk;
  return output.length <= MAX_OUTPUT
    ? { output }
    : { output: output.slice(-MAX_OUTPUT), outputCut: true };
}
