import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { paths } from '#schema';
import { answer, api, everything, page } from './client';
import type { AuditRecord } from './types';

export type AuditFilter = Omit<
  NonNullable<paths['/api/v1/audit/logs']['get']['parameters']['query']>,
  'limit' | 'page' | 'order'
>;

export const PAGE_SIZE = 100;
/** The maximum number of rows; more would be of no use and slow the browser down. */
export const MAX_ROWS = 2000;

/** Records, newest first, page by page, from a cursor on or from the newest. */
export const auditPages = (filter: AuditFilter, from = '') =>
  infiniteQueryOptions({
    queryKey: ['audit', 'pages', filter, from],
    initialPageParam: from,
    queryFn: ({ pageParam }) =>
      page(
        api.GET('/api/v1/audit/logs', {
          params: { query: { ...filter, limit: PAGE_SIZE, ...(pageParam !== '' && { page: pageParam }) } },
        }),
        'page',
      ),
    getNextPageParam: (last) => last.next,
  });

/** The newest records, at most `limit`. */
export const newestRecords = (filter: AuditFilter, limit: number) =>
  queryOptions({
    queryKey: ['audit', 'newest', filter, limit],
    queryFn: () => page(api.GET('/api/v1/audit/logs', { params: { query: { ...filter, limit } } }), 'page'),
  });

/** The calls of a session, oldest first, up to the maximum number of rows. */
export const sessionRecords = (session: string) =>
  queryOptions({
    queryKey: ['audit', 'session', session],
    queryFn: () =>
      everything(
        (after) =>
          page(
            api.GET('/api/v1/audit/logs', {
              params: { query: { session_id: session, order: 'asc', limit: 500, ...(after && { page: after }) } },
            }),
            'page',
          ),
        MAX_ROWS,
      ),
  });

export const auditRecord = (id: string) =>
  queryOptions({
    queryKey: ['audit', 'one', id],
    staleTime: Infinity, // records never change
    queryFn: (): Promise<AuditRecord> =>
      answer(api.GET('/api/v1/audit/logs/{record_id}', { params: { path: { record_id: Number(id) } } })),
  });

/** When the log begins, so that "any time" can be drawn; nothing if it is empty. */
export const oldestRecord = (kind: AuditFilter['kind']) =>
  queryOptions({
    queryKey: ['audit', 'oldest', kind ?? 'call'],
    staleTime: 300_000,
    queryFn: async () => {
      const [oldest] = await answer(
        api.GET('/api/v1/audit/logs', { params: { query: { order: 'asc', limit: 1, ...(kind && { kind }) } } }),
      );
      return oldest?.timestamp ?? null;
    },
  });

export const auditHistogram = (filter: AuditFilter, interval?: 'minute' | 'hour' | 'day') =>
  queryOptions({
    queryKey: ['audit', 'histogram', filter, interval],
    queryFn: () =>
      answer(api.GET('/api/v1/audit/histogram', { params: { query: { ...filter, ...(interval && { interval }) } } })),
  });

export const auditFacets = (filter: AuditFilter) =>
  queryOptions({
    queryKey: ['audit', 'facets', filter],
    queryFn: () => answer(api.GET('/api/v1/audit/facets', { params: { query: { ...filter, limit: 12 } } })),
  });

/** The URL that downloads all matching records. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) {
      query.set(name, String(value));
    }
  }
  query.set('format', format);
  return `/api/v1/audit/export?${query}`;
}
