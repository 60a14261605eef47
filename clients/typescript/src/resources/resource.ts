import { Listing } from '../listing.js';
import type { Query, Send, Transport } from '../transport.js';

/** The options of every request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** The options of a change. */
export interface ChangeOptions extends RequestOptions {
  /** Why, for the record. */
  reason?: string | undefined;
}

/** The options of every list. */
export interface ListOptions extends RequestOptions {
  /** How many entries a page has. */
  limit?: number | undefined;
}

/** A part of the gate's API. */
export abstract class Resource {
  protected readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected async answer<T>(request: Send): Promise<T> {
    return (await this.transport.send(request)).body as T;
  }

  protected listing<T>(path: string, { signal, ...query }: RequestOptions): Listing<T> {
    return new Listing<T>(this.transport, path, query as Query, signal);
  }
}
