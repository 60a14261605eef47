import { useSyncExternalStore } from 'react';
import { api } from '../../api/client';
import { t } from '../../strings';
import { newAnswer, withOutput, withPiece, withTool, type Answer, type Message, type ToolBlock } from './blocks';
import { parsed, sendPayload, text, type Problem, type Status, type Terms } from './wire';

export interface ChatState {
  id: string;
  messages: Message[];
  running: boolean;
  /** The status of the connection from the server; `null` before the first message. */
  status: Status | null;
  /** An error that belongs to no answer. */
  problem: Problem | null;
  tokensIn: number;
  tokensOut: number;
}

/** Chunks that arrive within this time are shown together. */
const GATHER_MS = 40;
/** The server closes the connection at longer messages. */
const MAX_FRAME = 4 * 1024 * 1024;

function fresh(): ChatState {
  return {
    id: `console-${crypto.getRandomValues(new Uint32Array(3)).join('-')}`,
    messages: [],
    running: false,
    status: null,
    problem: null,
    tokensIn: 0,
    tokensOut: 0,
  };
}

/**
 * The conversation of this tab. It continues while another page is shown, and is kept in memory only: the server stores
 * no history, and messages must not be in the browser's storage.
 */
class Conversation {
  private state = fresh();
  private shown = this.state;
  private history: unknown[] = [];
  private socket: WebSocket | null = null;
  private owner = '';
  private gathering: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = () => this.shown;

  /** Sets the logged-in user; a conversation of another user is discarded. */
  belongsTo(owner: string): void {
    if (this.owner !== owner) {
      this.owner = owner;
      this.reset();
    }
  }

  reset(): void {
    this.socket?.close();
    this.socket = null;
    this.history = [];
    this.become(fresh());
  }

  send(content: string, terms: Terms): void {
    const frame = JSON.stringify({ type: 'chat:send', payload: sendPayload(this.state.id, content, terms, this.history) });
    if (frame.length > MAX_FRAME) {
      this.become({ problem: { message: t.chat.tooLong, remediation: t.chat.tooLongNext } });
      return;
    }
    this.become({
      running: true,
      problem: null,
      messages: [...this.state.messages, { role: 'user', text: content }, newAnswer()],
    });
    const socket = this.open();
    if (socket.readyState === WebSocket.OPEN) {
      socket.send(frame);
    } else {
      socket.addEventListener('open', () => socket.send(frame), { once: true });
    }
  }

  stop(): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.tell('chat:cancel', { conversation_id: this.state.id });
    } else {
      this.reset();
    }
  }

  answer(block: ToolBlock, approved: boolean): void {
    if (block.question === null || block.question.answered) {
      return;
    }
    this.tell('chat:tool-approve', {
      conversationId: this.state.id,
      toolId: block.id,
      approvalId: block.question.approvalId,
      approved,
    });
    this.change((answer) =>
      withTool(answer, { toolId: block.id }, ({ question }) => ({
        question: question === null ? null : { ...question, answered: true },
      })),
    );
  }

  private tell(type: string, payload: Record<string, unknown>): void {
    if (this.socket?.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify({ type, payload }));
    }
  }

  private open(): WebSocket {
    const open = this.socket;
    if (open !== null && open.readyState <= WebSocket.OPEN) {
      return open;
    }
    // Sent with the log-in cookie, which the server accepts only from its own origin.
    const socket = new WebSocket(`${window.location.origin.replace(/^http/, 'ws')}/ws`);
    this.socket = socket;
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
    };
    socket.onmessage = ({ data }) => {
      const message = parsed(data);
      if (message !== null && this.socket === socket) {
        this.receive(message.type, message.payload);
      }
    };
    socket.onclose = () => {
      if (this.socket !== socket) {
        return;
      }
      this.socket = null;
      if (this.state.running) {
        this.fail({ message: wasOpen ? t.chat.lost : t.chat.cannotConnect, remediation: t.errors.unreachableNext });
      }
      // A socket gives no reason for its refusal; a request does, and ends the log-in if it has expired.
      void api.GET('/api/v1/whoami').catch(() => undefined);
    };
    return socket;
  }

  private receive(type: string, payload: Record<string, unknown>): void {
    const conversation = text(payload, 'conversation_id') || text(payload, 'conversationId');
    if (conversation !== '' && conversation !== this.state.id) {
      return;
    }
    switch (type) {
      case 'connection:status':
        this.become({ status: payload as unknown as Status });
        return;
      case 'chat:stream-start':
        this.change((answer) => ({ ...answer, id: text(payload, 'message_id'), model: text(payload, 'model') }));
        return;
      case 'chat:text-delta':
        this.change((answer) => withPiece(answer, 'text', text(payload, 'content')));
        return;
      case 'chat:thinking-delta':
        this.change((answer) => withPiece(answer, 'thinking', text(payload, 'content')));
        return;
      case 'chat:tool-confirm':
        this.change((answer) => withTool(answer, payload, () => asked(payload)));
        return;
      case 'chat:tool-start':
        this.change((answer) => withTool(answer, payload, () => ({ state: 'running', question: null })));
        return;
      case 'chat:tool-delta':
        this.change((answer) => withTool(answer, payload, (block) => withOutput(block, text(payload, 'chunk'))));
        return;
      case 'chat:tool-result':
        this.change((answer) => withTool(answer, payload, () => ended(payload)));
        return;
      case 'chat:stream-end':
        this.end(payload);
        return;
      case 'chat:error': {
        const problem = { message: text(payload, 'message'), remediation: text(payload, 'remediation') };
        const last = this.state.messages.at(-1);
        if (text(payload, 'message_id') !== '' || (last?.role === 'assistant' && last.id === '')) {
          this.fail(problem);
        } else {
          this.become({ problem });
        }
        return;
      }
      default: // a newer server may send other types
    }
  }

  private end(payload: Record<string, unknown>): void {
    const added = Array.isArray(payload['messages']) ? (payload['messages'] as { role?: string }[]) : [];
    const usage = (payload['usage'] ?? {}) as { input_tokens?: number; output_tokens?: number };
    this.history.push(...added);
    const turns = added.filter((each) => each.role === 'assistant').length;
    this.change((answer) => ({
      ...answer,
      state: payload['partial'] === true ? 'stopped' : 'done',
      stopReason: text(payload, 'stop_reason'),
      turns: Math.max(turns, 1),
    }));
    this.become({
      running: false,
      tokensIn: this.state.tokensIn + (usage.input_tokens ?? 0),
      tokensOut: this.state.tokensOut + (usage.output_tokens ?? 0),
    });
  }

  private fail(problem: Problem): void {
    this.change((answer) => ({ ...answer, state: 'failed', problem }));
    this.become({ running: false });
  }

  /** Changes the running answer. */
  private change(how: (answer: Answer) => Answer): void {
    const last = this.state.messages.at(-1);
    if (last?.role === 'assistant' && last.state === 'running') {
      this.become({ messages: [...this.state.messages.slice(0, -1), how(last)] });
    }
  }

  private become(part: Partial<ChatState>): void {
    this.state = { ...this.state, ...part };
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.shown = this.state;
      this.listeners.forEach((listener) => listener());
    }, GATHER_MS);
  }
}

function asked(payload: Record<string, unknown>): Partial<ToolBlock> {
  return {
    state: 'asked',
    question: {
      approvalId: text(payload, 'approvalId'),
      reason: text(payload, 'reason'),
      preview: text(payload, 'preview'),
      expiresAt: text(payload, 'expiresAt'),
      answered: false,
    },
  };
}

function ended(payload: Record<string, unknown>): Partial<ToolBlock> {
  const status = text(payload, 'status');
  return {
    state: status === 'success' || status === 'denied' ? status : 'error',
    question: null,
    result: text(payload, 'result'),
  };
}

export const conversation = new Conversation();

export function useConversation(): ChatState {
  return useSyncExternalStore(conversation.subscribe, conversation.snapshot);
}
