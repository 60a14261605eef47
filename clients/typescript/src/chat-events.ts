import type { ApprovalScope, Wire } from './wire.js';

/** The same type, but optional fields may also be undefined. */
export type Lenient<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** A message of a conversation's history. */
export type ChatHistoryMessage = Wire['ChatHistoryMessage'];

/** A message to a model. */
export type ChatSend = Lenient<Omit<Wire['ChatSend'], 'tools'>> & {
  /** The tools it is limited to; every tool of the agent if left out. */
  tools?: (string | Wire['ChatTool'])[] | Wire['ChatToolScope'] | null | undefined;
};

/** A message of the gate. */
export type ChatEvent = Wire['ChatServerMessage'];

/** The payloads of the gate's messages by type. */
export type ChatPayloads = { [E in ChatEvent as E['type']]: E['payload'] };

/** How to answer an approval question. */
export interface ChatApproval {
  reason?: string | undefined;
  /** This call only if left out. */
  scope?: ApprovalScope | undefined;
}

/** The conversation that a message of the gate is about. */
export function conversationOf({ payload }: ChatEvent): string | undefined {
  if ('conversationId' in payload) {
    return payload.conversationId;
  }
  return 'conversation_id' in payload ? (payload.conversation_id ?? undefined) : undefined;
}
