import { ConnectionFailed, ToolgateError } from './errors.js';

/** One server-sent event. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

const MAX_EVENT = 16 * 1024 * 1024;

/** The server-sent events of an answer, until either side ends it. Leaving the loop closes the connection. */
export async function* serverEvents(response: Response, signal?: AbortSignal): AsyncGenerator<ServerEvent, void, undefined> {
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  let size = 0;
  for await (const line of lines(response, signal)) {
    size += line.length;
    if (size > MAX_EVENT) {
      throw new ToolgateError({ code: 'UNEXPECTED_RESPONSE', message: 'An event of the stream is longer than 16 MiB.' });
    }
    if (line === '') {
      if (data.length > 0) {
        yield { event: event || 'message', data: data.join('\n'), id };
      }
      event = '';
      data = [];
      size = 0;
    } else if (!line.startsWith(':')) {
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') {
        event = value;
      } else if (field === 'data') {
        data.push(value);
      } else if (field === 'id') {
        id = value;
      }
    }
  }
}

/** The lines of an answer, ended by a line feed, a carriage return or both. */
export async function* lines(response: Response, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) {
    return;
  }
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      rest += value;
      // A carriage return at the end may be half of a line end.
      const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
      const parts = complete.split(/\r\n|\r|\n/);
      rest = parts.pop()! + rest.slice(complete.length);
      yield* parts;
      if (rest.length > MAX_EVENT) {
        throw new ToolgateError({ code: 'UNEXPECTED_RESPONSE', message: 'A line of the stream is longer than 16 MiB.' });
      }
    }
    if (rest !== '') {
      yield rest.replace(/\r$/, '');
    }
  } catch (failure) {
    signal?.throwIfAborted();
    if (failure instanceof ToolgateError) {
      throw failure;
    }
    throw new ConnectionFailed({
      code: 'CONNECTION_FAILED',
      message: 'The connection to the gate was lost while a stream was read.',
      remediation: 'Open the stream again.',
      retryable: true,
      cause: failure,
    });
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The error for a stream that the gate ended because it was read too slowly. */
export function streamCut(): ToolgateError {
  return new ToolgateError({
    code: 'STREAM_CUT',
    message: 'The gate ended the stream, because its events were read too slowly.',
    remediation: 'List what was missed, then open the stream again.',
    retryable: true,
  });
}
