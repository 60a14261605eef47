import { queryOptions } from '@tanstack/react-query';
import type { components } from '#schema';
import { answer, api } from './client';
import { ApiError } from './errors';

export type Usage = components['schemas']['ToolUsage']['usage'][number];
export type Proposals = components['schemas']['PermissionProposals'];

/** The maximum number of pairs of agent and tool that are read. */
const MAX_PAIRS = 20_000;

/** How agents have used tools since a time, all pages up to the maximum. */
export const toolUsage = (query: { since: string; agent_id?: string; tool_name?: string }) =>
  queryOptions({
    queryKey: ['audit', 'usage', query],
    staleTime: 30_000,
    queryFn: async () => {
      const usage: Usage[] = [];
      let approximate = false;
      let next: string | null = null;
      do {
        const { data, error, response }: Awaited<ReturnType<typeof ask>> = await ask(query, next);
        if (data === undefined) {
          throw ApiError.of(response.status, error);
        }
        usage.push(...data.usage);
        approximate ||= data.approximate;
        const link = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
        next = link === undefined ? null : new URL(link, window.location.origin).searchParams.get('page');
      } while (next !== null && usage.length < MAX_PAIRS);
      return { usage, approximate, cut: next !== null };
    },
  });

function ask(query: { since: string; agent_id?: string; tool_name?: string }, page: string | null) {
  return api.GET('/api/v1/permissions/usage', { params: { query: { ...query, limit: 1000, ...(page && { page }) } } });
}

/** What calls have cost on each day. */
export const costsByDay = (start: string) =>
  queryOptions({
    queryKey: ['audit', 'costs', start],
    staleTime: 30_000,
    queryFn: () => answer(api.GET('/api/v1/audit/costs', { params: { query: { group_by: 'day', start_date: start } } })),
  });

/** Proposed changes that would revoke unused permissions. */
export const proposals = (days: number) =>
  queryOptions({
    queryKey: ['permissions', 'proposals', days],
    staleTime: 60_000,
    queryFn: () => answer(api.GET('/api/v1/permissions/proposals', { params: { query: { days } } })),
  });
