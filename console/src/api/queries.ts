import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, api, everything, nextOf, page } from './client';
import { ApiError } from './errors';
import type { GroupDetails, Session } from './types';

export interface SessionFilter {
  agent_id?: string;
  status?: Session['status'];
}

/** All queries of the pages, with the keys by which they are invalidated. */
export const queries = {
  pendingApprovals: queryOptions({
    queryKey: ['approvals', 'pending'],
    queryFn: () => page(api.GET('/api/v1/approvals', { params: { query: { state: 'pending', limit: 500 } } })),
    refetchInterval: 30_000,
  }),
  approval: (id: string) =>
    queryOptions({
      queryKey: ['approvals', 'one', id],
      queryFn: () => answer(api.GET('/api/v1/approvals/{approval_id}', { params: { path: { approval_id: id } } })),
    }),
  /** A waiting request with all arguments of its call, which lists shorten. They never change, so they are read once. */
  heldCall: (id: string) =>
    queryOptions({
      queryKey: ['held-calls', id],
      queryFn: () => answer(api.GET('/api/v1/approvals/{approval_id}', { params: { path: { approval_id: id } } })),
      staleTime: Infinity,
    }),
  standingApprovals: queryOptions({
    queryKey: ['approvals', 'standing'],
    queryFn: () => page(api.GET('/api/v1/approvals/standing', { params: { query: { limit: 500 } } })),
  }),
  tools: queryOptions({
    queryKey: ['tools'],
    queryFn: () => answer(api.GET('/api/v1/tools')),
    staleTime: 60_000,
  }),
  agents: queryOptions({
    queryKey: ['agents'],
    queryFn: () =>
      everything((after) =>
        page(api.GET('/api/v1/agents', { params: { query: { limit: 500, ...(after && { after }) } } })),
      ),
    staleTime: 10_000,
  }),
  /** Whether there is an agent at all. */
  anyAgent: queryOptions({
    queryKey: ['agents', { limit: 1 }],
    queryFn: () => page(api.GET('/api/v1/agents', { params: { query: { limit: 1 } } })),
  }),
  agent: (id: string) =>
    queryOptions({
      queryKey: ['agents', id],
      queryFn: () => answer(api.GET('/api/v1/agents/{agent_id}', { params: { path: { agent_id: id } } })),
    }),
  permissions: (agent: string) =>
    queryOptions({
      queryKey: ['permissions', 'of', agent],
      queryFn: () => answer(api.GET('/api/v1/agents/{agent_id}/permissions', { params: { path: { agent_id: agent } } })),
    }),
  matrix: queryOptions({
    queryKey: ['permissions', 'matrix'],
    queryFn: () => answer(api.GET('/api/v1/permissions/matrix')),
    refetchInterval: 30_000,
  }),
  groups: queryOptions({
    queryKey: ['groups'],
    queryFn: () =>
      everything((after) =>
        page(api.GET('/api/v1/groups', { params: { query: { limit: 500, ...(after && { after }) } } })),
      ),
    staleTime: 10_000,
  }),
  /** A group with all of its members, which come in pages. */
  group: (id: string) =>
    queryOptions({
      queryKey: ['groups', id],
      queryFn: async (): Promise<GroupDetails> => {
        let found: GroupDetails | undefined;
        const members = await everything(async (after) => {
          const sent = await api.GET('/api/v1/groups/{group_id}', {
            params: { path: { group_id: id }, query: { limit: 500, ...(after && { after }) } },
          });
          found = await answer(Promise.resolve(sent));
          return { items: found.members, next: nextOf(sent.response, 'after') };
        });
        return { ...found!, members };
      },
    }),
  sessions: (filter: SessionFilter) =>
    infiniteQueryOptions({
      queryKey: ['sessions', 'pages', filter],
      initialPageParam: '',
      queryFn: ({ pageParam }) =>
        page(
          api.GET('/api/v1/sessions', {
            params: {
              query: { ...filter, order: 'newest', limit: 50, ...(pageParam !== '' && { after: pageParam }) },
            },
          }),
        ),
      getNextPageParam: (last) => last.next,
      refetchInterval: 30_000,
    }),
  session: (id: string) =>
    queryOptions({
      queryKey: ['sessions', 'one', id],
      queryFn: () => answer(api.GET('/api/v1/sessions/{session_id}', { params: { path: { session_id: id } } })),
      refetchInterval: 30_000,
    }),
  sessionChanges: (id: string) =>
    queryOptions({
      queryKey: ['sessions', 'files', id],
      queryFn: () =>
        answer(api.GET('/api/v1/sessions/{session_id}/changes', { params: { path: { session_id: id } } })),
    }),
  templates: queryOptions({
    queryKey: ['templates'],
    queryFn: () => answer(api.GET('/api/v1/templates')),
    staleTime: 300_000,
  }),
  changes: (filter: { agent_id?: string; tool_name?: string; group_id?: string; limit?: number }) =>
    queryOptions({
      queryKey: ['permissions', 'changes', filter],
      queryFn: () => page(api.GET('/api/v1/permissions/changes', { params: { query: filter } })),
    }),
  servers: queryOptions({
    queryKey: ['servers'],
    queryFn: () => page(api.GET('/api/v1/mcp/servers', { params: { query: { limit: 500 } } })),
    refetchInterval: 30_000,
  }),
  server: (name: string) =>
    queryOptions({
      queryKey: ['servers', name],
      queryFn: () => answer(api.GET('/api/v1/mcp/servers/{server_name}', { params: { path: { server_name: name } } })),
      refetchInterval: 30_000,
    }),
  keys: queryOptions({
    queryKey: ['keys'],
    queryFn: () =>
      everything((after) =>
        page(api.GET('/api/v1/keys', { params: { query: { limit: 500, ...(after && { after }) } } })),
      ),
  }),
  tenants: queryOptions({
    queryKey: ['tenants'],
    queryFn: () => page(api.GET('/api/v1/tenants')),
  }),
  health: queryOptions({
    queryKey: ['health'],
    // A 503 has the same body, which names the part that is down.
    queryFn: async () => {
      const { data, error, response } = await api.GET('/health/ready');
      const report = (data ?? error) as Partial<NonNullable<typeof data>> | undefined;
      if (report?.checks === undefined) {
        throw ApiError.of(response.status, error); // of a proxy, or of the gate about something else
      }
      return report as NonNullable<typeof data>;
    },
    refetchInterval: 30_000,
  }),
};
