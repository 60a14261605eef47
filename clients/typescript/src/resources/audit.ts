import { lines, serverEvents, streamCut } from '../events.js';
import type { Listing } from '../listing.js';
import { path, type Query } from '../transport.js';
import type { AuditLog, Wire } from '../wire.js';
import { Resource, type ListOptions, type RequestOptions } from './resource.js';

/** A filter for records; all if empty. */
export interface AuditFilter {
  agent_id?: string | undefined;
  project_id?: string | undefined;
  tool_name?: string | undefined;
  request_id?: string | undefined;
  correlation_id?: string | undefined;
  conversation_id?: string | undefined;
  session_id?: string | undefined;
  status?: AuditLog['status'] | undefined;
  error_code?: string | undefined;
  principal?: string | undefined;
  kind?: AuditLog['kind'] | undefined;
  allowed?: boolean | undefined;
  /** Words to search for. */
  q?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** The audit log. */
export class Audit extends Resource {
  /** Records, newest first unless the order is `asc`. */
  list(options: AuditFilter & ListOptions & { order?: 'asc' | 'desc' | undefined } = {}): Listing<AuditLog> {
    return this.listing('/api/v1/audit/logs', options);
  }

  get(record: number, { signal }: RequestOptions = {}): Promise<AuditLog> {
    return this.answer({ path: path`/api/v1/audit/logs/${String(record)}`, signal });
  }

  /** New records as they are written; after the event `lastEventId`, if one is given. */
  async *stream(
    options: AuditFilter & RequestOptions & { lastEventId?: string | undefined } = {},
  ): AsyncGenerator<{ id: string | undefined; record: AuditLog }, void, undefined> {
    const { signal, lastEventId, ...filter } = options;
    const response = await this.transport.open({
      path: '/api/v1/audit/stream',
      query: filter as Query,
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': lastEventId },
      signal,
    });
    for await (const { event, data, id } of serverEvents(response, signal)) {
      if (event === 'cut') {
        throw streamCut();
      }
      if (event === 'record') {
        yield { id, record: JSON.parse(data) as AuditLog };
      }
    }
  }

  /** All matching records, streamed in one response. */
  async *export(options: AuditFilter & RequestOptions = {}): AsyncGenerator<AuditLog, void, undefined> {
    const { signal, ...filter } = options;
    const response = await this.transport.open({
      path: '/api/v1/audit/export',
      query: { ...(filter as Query), format: 'jsonl' },
      headers: { Accept: 'application/jsonl' },
      signal,
    });
    for await (const line of lines(response, signal)) {
      if (line !== '') {
        yield JSON.parse(line) as AuditLog;
      }
    }
  }

  /** Verifies that the log was not changed. */
  verify({ signal }: RequestOptions = {}): Promise<Wire['Verification']> {
    return this.answer({ path: '/api/v1/audit/verify', signal });
  }
}
