import { conversationOf, type ChatApproval, type ChatEvent, type ChatPayloads, type ChatSend, type Lenient } from './chat-events.js';
import { ConnectionFailed, ToolgateError, errorOf } from './errors.js';
import { connectionOf, onServer, type Connection, type ConnectionOptions } from './settings.js';
import { uuid } from './time.js';
import type { Wire } from './wire.js';

/** The part of the standard `WebSocket` that is used; packages for Node take headers as a third argument. */
export type WebSocketConstructor = new (
  url: string,
  protocols?: string[],
  options?: { headers: Record<string, string> },
) => Pick<WebSocket, 'send' | 'close' | 'addEventListener' | 'readyState'>;

/** Settings of a {@link ChatSocket}. */
export interface ChatSocketOptions extends Omit<ConnectionOptions, 'fetch' | 'maxRetries'> {
  /** Another WebSocket; Node before 22 has none of its own. */
  WebSocket?: WebSocketConstructor | undefined;
}

type Sent = Wire['ChatClientMessage'];

const PROTOCOL = 'toolgate.chat';
const OPEN = 1;
const MAX_WAITING = 100_000;

/** Conversations with a model that uses an agent's tools, over one WebSocket. */
export class ChatSocket {
  /** The first message of the gate: the role of the key, whether it may approve, and the model providers. */
  readonly status: ChatPayloads['connection:status'];
  readonly #socket: InstanceType<WebSocketConstructor>;
  readonly #agent: string | undefined;
  readonly #answers = new Map<string, Answer>();
  readonly #listeners = new Set<(event: ChatEvent) => void>();
  #ended: ToolgateError | undefined;

  private constructor(socket: InstanceType<WebSocketConstructor>, status: ChatPayloads['connection:status'], agent: string | undefined) {
    this.#socket = socket;
    this.status = status;
    this.#agent = agent;
    socket.addEventListener('message', (message) => this.#received(message.data));
    socket.addEventListener('close', (close) => this.#end(closed(close.code, close.reason)));
  }

  /**
   * Opens a socket. Browsers cannot send headers with a WebSocket, so a page sends its key as a subprotocol; it must have
   * the gate's origin, or one that the gate lists. Elsewhere the key is a header, as in every request.
   */
  static async connect(options: ChatSocketOptions = {}): Promise<ChatSocket> {
    const connection = connectionOf(options);
    const socket = socketOf(connection, options.WebSocket);
    const status = await opened(socket, connection);
    // With an agent's own key the gate reports the agent; other keys must name one.
    return new ChatSocket(socket, status, status.agent_id ?? connection.agent);
  }

  /**
   * Sends a message, and yields the gate's events up to the end of the answer. An error of the gate is thrown.
   * Leaving the loop early cancels the answer and its tools.
   */
  async *send(message: Omit<ChatSend, 'conversation_id'> & { conversation_id?: string | undefined }): AsyncGenerator<ChatEvent, void, undefined> {
    const conversation = message.conversation_id ?? uuid();
    if (this.#answers.has(conversation)) {
      throw new ToolgateError({
        code: 'CONVERSATION_BUSY',
        message: `The conversation ${conversation} has an answer that has not ended.`,
        remediation: 'Wait for its end, or cancel it.',
        retryable: true,
      });
    }
    const answer = new Answer();
    this.#answers.set(conversation, answer);
    let ended = false;
    try {
      this.#write('chat:send', { agent_id: this.#agent, ...message, conversation_id: conversation });
      for await (const event of answer.events()) {
        ended = event.type === 'chat:stream-end' || event.type === 'chat:error';
        if (event.type === 'chat:error') {
          throw errorOf({ ...event.payload, retryAfter: event.payload.retry_after_seconds ?? undefined });
        }
        yield event;
        if (ended) {
          return;
        }
      }
    } finally {
      this.#answers.delete(conversation);
      if (!ended && this.#socket.readyState === OPEN) {
        this.cancel(conversation);
      }
    }
  }

  /** Answers an approval question; only some keys may, see `status.may_approve`. */
  approve(question: ChatPayloads['chat:tool-confirm'], approved: boolean, { reason, scope }: ChatApproval = {}): void {
    const { toolId, approvalId, conversationId } = question;
    this.#write('chat:tool-approve', { toolId, approvalId, conversationId, approved, reason, scope });
  }

  /** Cancels the answer of a conversation and its tools. */
  cancel(conversation: string): void {
    this.#write('chat:cancel', { conversation_id: conversation });
  }

  /** Calls the listener with every message of the gate, until the returned function is called. */
  onEvent(listener: (event: ChatEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Closes the socket, which cancels its conversations. */
  close(): void {
    this.#socket.close(1000);
    this.#end(closed(1000, ''));
  }

  #write<T extends Sent['type']>(type: T, payload: Lenient<Extract<Sent, { type: T }>['payload']>): void {
    if (this.#ended) {
      throw this.#ended;
    }
    this.#socket.send(JSON.stringify({ type, payload, timestamp: new Date().toISOString() }));
  }

  #received(data: unknown): void {
    const event = eventOf(data);
    if (!event) {
      return;
    }
    for (const listener of this.#listeners) {
      listener(event);
    }
    const conversation = conversationOf(event);
    if (conversation !== undefined) {
      this.#answers.get(conversation)?.add(event);
    } else if (event.type === 'chat:error') {
      // An error without a conversation is about a message that the gate could not parse; it is unknown which one.
      this.#answers.forEach((answer) => answer.add(event));
    }
  }

  #end(reason: ToolgateError): void {
    this.#ended ??= reason;
    this.#answers.forEach((answer) => answer.fail(reason));
  }
}

/** The events of one answer that were not read yet. */
class Answer {
  #waiting: ChatEvent[] = [];
  #failure: ToolgateError | undefined;
  #wake: (() => void) | undefined;

  add(event: ChatEvent): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.fail(new ToolgateError({ code: 'STREAM_CUT', message: 'The answer was read too slowly.', retryable: true }));
      return;
    }
    this.#waiting.push(event);
    this.#wake?.();
  }

  fail(reason: ToolgateError): void {
    this.#failure ??= reason;
    this.#wake?.();
  }

  async *events(): AsyncGenerator<ChatEvent, void, undefined> {
    for (;;) {
      const ready = this.#waiting;
      this.#waiting = [];
      yield* ready;
      if (this.#waiting.length === 0) {
        if (this.#failure) {
          throw this.#failure;
        }
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }
}

function socketOf({ url, key }: Connection, Given: WebSocketConstructor | undefined): InstanceType<WebSocketConstructor> {
  const address = `${url.replace(/^http/, 'ws')}/ws`;
  const inBrowser = !onServer || 'document' in globalThis;
  if (inBrowser) {
    return new (Given ?? WebSocket)(address, key ? [PROTOCOL, `toolgate.key.${key}`] : [PROTOCOL]);
  }
  const headers: Record<string, string> = key ? { Authorization: `Bearer ${key}` } : {};
  if (Given) {
    return new Given(address, [PROTOCOL], { headers });
  }
  // The WebSocket of Node takes both in one object, which the types of browsers do not have.
  const Native = globalThis.WebSocket as unknown as
    | (new (url: string, init: { protocols: string[]; headers: Record<string, string> }) => WebSocket)
    | undefined;
  if (!Native) {
    throw new TypeError('There is no WebSocket here; use Node 22 or newer, or give one with the option WebSocket.');
  }
  return new Native(address, { protocols: [PROTOCOL], headers });
}

function opened(socket: InstanceType<WebSocketConstructor>, { url, timeout }: Connection): Promise<ChatPayloads['connection:status']> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: string): void => {
      clearTimeout(timer);
      reject(
        new ConnectionFailed({
          code: 'CONNECTION_FAILED',
          message: `The gate at ${url} did not accept the WebSocket: ${cause}.`,
          remediation: 'Check the address, the key, and whether the gate lists the origin of this page.',
          retryable: true,
        }),
      );
    };
    const timer = setTimeout(() => {
      socket.close();
      refuse(`it did not answer within ${timeout} ms`);
    }, timeout);
    socket.addEventListener('close', (close) => refuse(`it was closed with code ${close.code}`), { once: true });
    socket.addEventListener('error', () => refuse('the connection failed'), { once: true });
    socket.addEventListener(
      'message',
      (message) => {
        clearTimeout(timer);
        const first = eventOf(message.data);
        if (first?.type === 'connection:status') {
          resolve(first.payload);
        } else {
          refuse('its first message was not its status');
        }
      },
      { once: true },
    );
  });
}

function eventOf(data: unknown): ChatEvent | undefined {
  try {
    const event = JSON.parse(String(data)) as ChatEvent;
    return typeof event?.type === 'string' && typeof event.payload === 'object' && event.payload !== null ? event : undefined;
  } catch {
    return undefined;
  }
}

function closed(code: number, reason: string): ConnectionFailed {
  return new ConnectionFailed({
    code: 'CONNECTION_FAILED',
    message: `The socket was closed with code ${code}${reason ? `: ${reason}` : ''}.`,
    remediation: 'Open another socket and send the history again; the gate does not keep it.',
    retryable: code !== 1008,
  });
}
