import { ToolgateError } from './errors.js';
import type { Query, Transport } from './transport.js';

/** A list of the gate, read page by page: `for await (const entry of listing)`. */
export class Listing<T> implements AsyncIterable<T> {
  readonly #transport: Transport;
  readonly #path: string;
  readonly #query: Query;
  readonly #signal: AbortSignal | undefined;

  constructor(transport: Transport, path: string, query: Query, signal?: AbortSignal) {
    this.#transport = transport;
    this.#path = path;
    this.#query = query;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) {
      yield* page;
    }
  }

  /** The pages; one may be empty although others follow. */
  async *pages(): AsyncGenerator<T[], void, undefined> {
    let query: Query | undefined = this.#query;
    while (query) {
      const answer = await this.#transport.send({ path: this.#path, query, signal: this.#signal });
      if (!Array.isArray(answer.body)) {
        throw new ToolgateError({ code: 'UNEXPECTED_RESPONSE', message: `${this.#path} did not answer with a list.` });
      }
      yield answer.body as T[];
      query = nextQuery(answer.headers.get('link'));
    }
  }

  /** All entries at once. */
  async all(): Promise<T[]> {
    const entries: T[] = [];
    for await (const page of this.pages()) {
      entries.push(...page);
    }
    return entries;
  }
}

/** Only the query of the next page is used, so that a link cannot lead to another server. */
function nextQuery(link: string | null): Query | undefined {
  const target = link && /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
  return target ? Object.fromEntries(new URL(target, 'http://gate').searchParams) : undefined;
}
