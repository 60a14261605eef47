import { answer, api, page } from '../../api/client';
import type { PermissionChange } from '../../api/types';
import type { HttpRequest } from '../../ui/Command';
import { t } from '../../strings';

/** How a change can be undone, or why it cannot. */
export type Undo =
  | { kind: 'possible'; cli: string[] | null; http: HttpRequest; loses: boolean }
  | { kind: 'impossible'; why: string };

const TERMS = ['requires_approval', 'condition', 'expires_at', 'max_uses'] as const;

/**
 * Determines how to undo a change: only the newest change of a permission can be undone, since later ones build on it.
 */
export async function undoOf(change: PermissionChange): Promise<Undo> {
  const { agent_id: agent, group_id: group, tool_name: tool } = change;
  if (tool === '*') {
    if (agent === null || group === null) {
      return { kind: 'impossible', why: t.changes.noUndoOfAgents };
    }
    const path = `/api/v1/groups/${encodeURIComponent(group)}/members/${encodeURIComponent(agent)}`;
    return {
      kind: 'possible',
      cli: ['groups', 'members', group, change.new_state ? '--remove' : '--add', agent],
      http: { method: change.new_state ? 'DELETE' : 'PUT', path },
      loses: false,
    };
  }
  const { items } = await page(
    api.GET('/api/v1/permissions/changes', {
      params: {
        query: {
          ...(agent !== null && { agent_id: agent }),
          ...(group !== null && { group_id: group }),
          tool_name: tool,
          limit: 50,
        },
      },
    }),
  );
  const same = items.filter((each) => each.agent_id === agent && each.group_id === group);
  if (same[0]?.id !== change.id) {
    return { kind: 'impossible', why: t.changes.notNewest };
  }
  const holder = agent !== null ? { agent_id: agent } : { group_id: group };
  const before = same[1];
  const reason = t.changes.undoReason(change.id);
  if (change.previous_state === null) {
    return {
      kind: 'possible',
      cli: agent === null ? null : ['revoke', agent, tool],
      http: bulk(reason, { ...holder, tool_name: tool, clear: true }),
      loses: false,
    };
  }
  if (!change.previous_state) {
    return {
      kind: 'possible',
      cli: agent === null ? null : ['revoke', agent, tool, '--deny'],
      http: bulk(reason, { ...holder, tool_name: tool, allowed: false }),
      loses: false,
    };
  }
  if (before === undefined || !before.new_state) {
    return { kind: 'impossible', why: t.changes.termsUnknown };
  }
  const details = before.details as Record<string, unknown>;
  const terms = Object.fromEntries(
    TERMS.filter((name) => details[name] !== undefined && details[name] !== false).map((name) => [name, details[name]]),
  );
  return {
    kind: 'possible',
    cli: null,
    http: bulk(reason, { ...holder, tool_name: tool, allowed: true, ...terms }),
    loses: terms['condition'] !== undefined,
  };
}

function bulk(reason: string, change: Record<string, unknown>): HttpRequest {
  return { method: 'POST', path: '/api/v1/permissions/bulk', body: { changes: [change], reason } };
}

/** Undoes a change by making the reverse change. */
export async function undo(change: PermissionChange, how: Undo & { kind: 'possible' }): Promise<void> {
  if (change.tool_name === '*') {
    const path = { group_id: change.group_id ?? '', agent_id: change.agent_id ?? '' };
    await (how.http.method === 'PUT'
      ? answer(api.PUT('/api/v1/groups/{group_id}/members/{agent_id}', { params: { path } }))
      : answer(api.DELETE('/api/v1/groups/{group_id}/members/{agent_id}', { params: { path } })));
  } else {
    await answer(api.POST('/api/v1/permissions/bulk', { body: how.http.body as never }));
  }
}
