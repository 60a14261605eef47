/** The messages of the socket, as docs/guides/chat.md describes them; what the server sends is checked where it is used. */
export interface Status {
  role: string;
  agent_id: string | null;
  agents?: string[];
  may_approve: boolean;
  providers: string[];
}

export interface Terms {
  agent: string | undefined;
  provider: string;
  model: string;
  trust: string | undefined;
  session: string | undefined;
  system: string;
  ownKey: string;
  maxTokens: number | undefined;
  thinkingTokens: number | undefined;
}

export interface Problem {
  message: string;
  remediation: string;
}

interface Envelope {
  type: string;
  payload: Record<string, unknown>;
}

export function parsed(frame: unknown): Envelope | null {
  try {
    const found = JSON.parse(String(frame)) as Partial<Envelope> | null;
    return typeof found?.type === 'string' && typeof found.payload === 'object' ? (found as Envelope) : null;
  } catch {
    return null;
  }
}

/** A text of a payload. */
export function text(payload: Record<string, unknown>, name: string): string {
  const value = payload[name];
  return typeof value === 'string' ? value : '';
}

export function sendPayload(conversation: string, content: string, terms: Terms, history: unknown[]) {
  return {
    conversation_id: conversation,
    content,
    provider: terms.provider,
    model: terms.model,
    include_messages: true,
    history,
    ...(terms.agent !== undefined && { agent_id: terms.agent }),
    ...(terms.trust !== undefined && { trust_level: terms.trust }),
    ...(terms.session !== undefined && { session_id: terms.session }),
    ...(terms.system.trim() !== '' && { system_prompt: terms.system }),
    ...(terms.ownKey !== '' && { api_key: terms.ownKey }),
    ...(terms.maxTokens !== undefined && { max_tokens: terms.maxTokens }),
    ...(terms.thinkingTokens !== undefined && { thinking_tokens: terms.thinkingTokens }),
  };
}
