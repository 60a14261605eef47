import type { QueryClient } from '@tanstack/react-query';
import { auditHistogram, newestRecords } from '../../api/audit';
import { queries } from '../../api/queries';
import { toolUsage } from '../../api/usage';
import { session } from '../../app/session';

const DAY_MS = 86_400e3;

/** A day ago, to the minute, so that queries of one minute are the same. */
export function dayAgo(): string {
  return new Date(Math.floor((Date.now() - DAY_MS) / 60e3) * 60e3).toISOString();
}

export const callsOfDay = (since: string) => auditHistogram({ start_date: since }, 'hour');
export const usageOfDay = (since: string) => toolUsage({ since });
export const lastChanges = queries.changes({ limit: 6 });
export const newestRecord = newestRecords({}, 1);

/**
 * What the overview shows. Without the matrix, which is large and for one panel only: it is fetched when the page is
 * there.
 */
export async function fetchOverview(client: QueryClient): Promise<void> {
  const { may } = session;
  if (!session.isIn()) {
    return;
  }
  const since = dayAgo();
  const reads = may('read_permissions');
  await Promise.all([
    client.prefetchQuery(queries.pendingApprovals),
    client.prefetchQuery(queries.health),
    reads ? client.prefetchQuery(queries.anyAgent) : undefined,
    reads ? client.prefetchQuery(lastChanges) : undefined,
    may('read_agent_audit') ? client.prefetchQuery(callsOfDay(since)) : undefined,
    may('read_agent_audit') ? client.prefetchQuery(usageOfDay(since)) : undefined,
    may('manage_keys') ? client.prefetchQuery(queries.keys) : undefined,
  ]);
}
