import type { ApprovalScope, ErrorCode, JsonObject } from './wire.js';

/** A message of a conversation's history. */
export interface ChatHistoryMessage {
  role: 'user' | 'assistant' | 'tool' | 'system';
  content: string;
  [more: string]: unknown;
}

/** A message to a model. */
export interface ChatSend {
  conversation_id: string;
  content: string;
  provider: 'claude' | 'openai' | 'ollama' | (string & {});
  model: string;
  /** Whose tools; the socket's agent if left out. */
  agent_id?: string | undefined;
  /** Earlier messages, oldest first, without the new one. */
  history?: ChatHistoryMessage[] | undefined;
  /** Whether the end of the answer contains the messages to append to the history. */
  include_messages?: boolean | undefined;
  system_prompt?: string | undefined;
  max_tokens?: number | undefined;
  thinking_tokens?: number | undefined;
  tools?: (string | JsonObject)[] | { permissions: JsonObject } | undefined;
  trust_level?: 'supervised' | 'guided' | 'autonomous' | undefined;
  session_id?: string | undefined;
  project_id?: string | undefined;
  /** The user's own key for the provider. */
  api_key?: string | undefined;
}

interface OfMessage {
  conversation_id: string;
  message_id: string;
}

interface OfTool {
  conversationId: string;
  messageId: string;
  toolId: string;
}

/** The payloads of the gate's messages by type. */
export interface ChatPayloads {
  'connection:status': {
    status: string;
    role: string;
    agent_id?: string;
    agents?: string[];
    may_approve: boolean;
    providers: unknown;
    version: string;
  };
  'chat:stream-start': OfMessage & { model: string };
  'chat:text-delta': OfMessage & { content: string; index: number };
  'chat:thinking-delta': OfMessage & { content: string; index: number };
  'chat:tool-confirm': OfTool & {
    toolName: string;
    input: JsonObject;
    reason: string;
    preview: string | null;
    approvalId: string;
    expiresAt: string;
  };
  'chat:tool-start': OfTool & { toolName: string; input: JsonObject };
  'chat:tool-delta': OfTool & { chunk: string };
  'chat:tool-result': OfTool & { status: 'success' | 'error' | 'denied' | (string & {}); result: string; metadata?: JsonObject };
  'chat:stream-end': OfMessage & {
    model: string;
    usage: { input_tokens: number; output_tokens: number };
    stop_reason: string;
    partial: boolean;
    messages?: ChatHistoryMessage[];
  };
  'chat:error': {
    conversation_id?: string;
    message_id?: string;
    code: ErrorCode;
    message: string;
    remediation: string;
    retryable: boolean;
    retry_after_seconds?: number;
  };
}

/** A message of the gate. */
export type ChatEvent = {
  [T in keyof ChatPayloads]: { readonly type: T; readonly payload: ChatPayloads[T]; readonly timestamp?: string };
}[keyof ChatPayloads];

/** How to answer an approval question. */
export interface ChatApproval {
  reason?: string | undefined;
  /** This call only if left out. */
  scope?: ApprovalScope | undefined;
}

/** The conversation that a message of the gate is about. */
export function conversationOf(event: ChatEvent): string | undefined {
  const payload = event.payload as { conversation_id?: string; conversationId?: string };
  return payload.conversation_id ?? payload.conversationId;
}
