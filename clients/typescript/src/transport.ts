import { ConnectionFailed, ToolgateError, errorOf } from './errors.js';
import { onServer, type Connection } from './settings.js';
import { delay, retryAfterOf, retryDelay } from './time.js';
import { VERSION } from './version.js';
import { objectOf, textOf } from './wire.js';

export type Query = Record<string, string | number | boolean | null | undefined>;

/** One request to the gate. */
export interface Send {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Made with {@link path}. */
  path: string;
  query?: Query | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, instead of a body. */
  content?: BodyInit | undefined;
  headers?: Record<string, string | undefined>;
  signal?: AbortSignal | undefined;
  /**
   * Whether the request is idempotent. If left out: everything but POST is, and POST is retried if the gate did
   * nothing; if false, it is retried only after a rate limit, because a tool may have run.
   */
  repeatable?: boolean;
}

/** An answer that is not an error: a success, or the outcome of a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A path of the gate with its variable parts encoded. */
export function path(strings: TemplateStringsArray, ...parts: string[]): string {
  return strings.reduce((whole, text, index) => whole + segment(parts[index - 1]!) + text);
}

// URLs resolve these two even if they are percent-encoded, so that another resource would be requested.
function segment(part: string): string {
  if (part === '' || part === '.' || part === '..') {
    throw new TypeError(`'${part}' cannot be part of an address; use the id or name of something.`);
  }
  return encodeURIComponent(part);
}

/** Sends requests: the key, time-outs, retries and errors. */
export class Transport {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** An answer with its JSON body. Error bodies are thrown, after the retries that they allow. */
  async send(request: Send): Promise<Answer> {
    return this.#retrying(request, async (response) => {
      const body = await jsonOf(response);
      return { status: response.status, headers: response.headers, body };
    });
  }

  /** A response whose body the caller reads; the time-out covers only the headers. */
  async open(request: Send): Promise<Response> {
    return this.#retrying(request, (response) => Promise.resolve(response));
  }

  async #retrying<T>(request: Send, read: (response: Response) => Promise<T>): Promise<T> {
    for (let retry = 0; ; retry++) {
      try {
        return await this.#attempt(request, read);
      } catch (failure) {
        request.signal?.throwIfAborted();
        if (!(failure instanceof ToolgateError) || retry >= this.#connection.maxRetries || !mayRepeat(request, failure)) {
          throw failure;
        }
        const wait = retryDelay(retry, failure.retryAfter);
        if (wait === undefined) {
          throw failure;
        }
        await delay(wait, request.signal);
      }
    }
  }

  async #attempt<T>(request: Send, read: (response: Response) => Promise<T>): Promise<T> {
    request.signal?.throwIfAborted();
    const { url, timeout } = this.#connection;
    const attempt = new AbortController();
    const aborted = (): void => attempt.abort(request.signal?.reason);
    request.signal?.addEventListener('abort', aborted, { once: true });
    const timer = setTimeout(() => attempt.abort(new DOMException('The request timed out.', 'TimeoutError')), timeout);
    let opened = false;
    try {
      const response = await this.#connection.fetch(url + request.path + queryText(request.query), this.#init(request, attempt));
      if (!response.ok && !(await isOutcome(response))) {
        throw await failureOf(response, url);
      }
      const result = await read(response);
      opened = (result as unknown) === response;
      return result;
    } catch (failure) {
      if (failure instanceof ToolgateError) {
        throw failure;
      }
      throw new ConnectionFailed({
        code: 'CONNECTION_FAILED',
        message: `The gate at ${url} ${attempt.signal.aborted ? `did not answer within ${timeout} ms` : 'could not be reached'}.`,
        remediation: 'Check that the gate runs and that TOOLGATE_URL is its address, then send the request again.',
        retryable: true,
        cause: failure,
      });
    } finally {
      clearTimeout(timer);
      if (!opened) {
        request.signal?.removeEventListener('abort', aborted);
      }
    }
  }

  #init(request: Send, attempt: AbortController): RequestInit {
    const { key } = this.#connection;
    const headers = new Headers({ Accept: 'application/json' });
    if (onServer) {
      headers.set('User-Agent', `toolgate-typescript/${VERSION}`);
    }
    if (key) {
      headers.set('Authorization', `Bearer ${key}`);
    }
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (value !== undefined) {
        headers.set(name, value);
      }
    }
    if (request.body !== undefined) {
      headers.set('Content-Type', 'application/json');
    }
    return {
      method: request.method ?? 'GET',
      headers,
      body: request.body === undefined ? (request.content ?? null) : JSON.stringify(request.body),
      signal: attempt.signal,
      // The gate never redirects these requests, and the key must not be sent to another server.
      redirect: 'error',
      credentials: key ? 'omit' : 'same-origin',
    };
  }
}

// After any other failure, a non-idempotent request may have had an effect.
function mayRepeat({ method = 'GET', repeatable }: Send, failure: ToolgateError): boolean {
  if (!failure.retryable || (repeatable ?? method !== 'POST') || failure.code === 'RATE_LIMITED') {
    return failure.retryable;
  }
  return failure.code === 'SERVICE_UNAVAILABLE' && repeatable === undefined;
}

async function isOutcome(response: Response): Promise<boolean> {
  const body = objectOf(await jsonOf(response.clone()));
  return body['status'] === 'denied' || body['status'] === 'allowed';
}

async function failureOf(response: Response, url: string): Promise<ToolgateError> {
  const body = objectOf(await jsonOf(response));
  const error = objectOf(body['error']);
  const code = textOf(error['code']);
  if (code === undefined) {
    return new ToolgateError({
      code: 'UNEXPECTED_RESPONSE',
      message: `${url} answered with status ${response.status} and no error of a gate.`,
      remediation: 'Check that TOOLGATE_URL is the address of a gate, and check any proxy in between.',
    });
  }
  const details = objectOf(error['details']);
  const seconds = retryAfterOf(response.headers) ?? (Number(details['retryAfterSeconds']) || undefined);
  return errorOf({
    code,
    message: textOf(error['message']) ?? code,
    remediation: textOf(error['remediation']),
    retryable: error['retryable'] === true,
    correlationId:
      textOf(error['correlation_id']) ?? textOf(body['correlationId']) ?? response.headers.get('x-correlation-id') ?? undefined,
    requestId: textOf(details['request_id']),
    details,
    retryAfter: seconds,
    raw: body,
  });
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function queryText(query: Query | undefined): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) {
      values.set(name, String(value));
    }
  }
  const text = values.toString();
  return text === '' ? '' : `?${text}`;
}
