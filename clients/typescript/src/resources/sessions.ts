import type { Listing } from '../listing.js';
import { path } from '../transport.js';
import type { Session, WantedSession, Wire } from '../wire.js';
import { Resource, type ChangeOptions, type ListOptions, type RequestOptions } from './resource.js';

/** Policy sessions. */
export class Sessions extends Resource {
  list(
    options: ListOptions & {
      agent_id?: string | undefined;
      status?: Session['status'] | undefined;
      order?: 'id' | 'newest' | undefined;
    } = {},
  ): Listing<Session> {
    return this.listing('/api/v1/sessions', options);
  }

  get(session: string, { signal }: RequestOptions = {}): Promise<Session> {
    return this.answer({ path: path`/api/v1/sessions/${session}`, signal });
  }

  /** Starts a session; agents cannot. */
  create(session: WantedSession, { reason, signal }: ChangeOptions = {}): Promise<Session> {
    return this.answer({ method: 'POST', path: '/api/v1/sessions', query: { reason }, body: session, signal });
  }

  async end(session: string, { reason, signal }: ChangeOptions = {}): Promise<void> {
    await this.answer({ method: 'DELETE', path: path`/api/v1/sessions/${session}`, query: { reason }, signal });
  }

  /** The files that the session has changed. */
  changes(session: string, { signal }: RequestOptions = {}): Promise<Wire['SessionChanges']> {
    return this.answer({ path: path`/api/v1/sessions/${session}/changes`, signal });
  }
}
