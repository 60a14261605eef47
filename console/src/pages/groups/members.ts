import type { QueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { HttpRequest } from '../../ui/Command';
import { withReason } from '../../ui/ReasonInput';

/** The request that adds an agent to a group or removes it. */
export function memberRequest(method: 'PUT' | 'DELETE', group: string, agent: string, reason: string): HttpRequest {
  const path = `/api/v1/groups/${encodeURIComponent(group)}/members/${encodeURIComponent(agent)}`;
  return { method, path: withReason(path, reason) };
}

/** Adds agents to a group or removes them, one after the other; refetches the data even after a failure. */
export async function setMembers(
  client: QueryClient,
  method: 'PUT' | 'DELETE',
  group: string,
  agents: string[],
  reason: string,
): Promise<void> {
  const query = reason === '' ? {} : { reason };
  try {
    for (const agent of agents) {
      const params = { path: { group_id: group, agent_id: agent }, query };
      await (method === 'PUT'
        ? answer(api.PUT('/api/v1/groups/{group_id}/members/{agent_id}', { params }))
        : answer(api.DELETE('/api/v1/groups/{group_id}/members/{agent_id}', { params })));
    }
  } finally {
    await client.invalidateQueries({ queryKey: ['groups'] });
    await client.invalidateQueries({ queryKey: ['permissions'] });
  }
}
