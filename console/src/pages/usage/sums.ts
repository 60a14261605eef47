import type { Usage } from '../../api/usage';

export const SORTS = ['calls', 'refused', 'failed', 'cost', 'last'] as const;
export type Sort = (typeof SORTS)[number];
export type By = 'agent' | 'tool' | 'pair';

/** The usage of an agent, a tool, or an agent and a tool. */
export interface Row {
  agent: string | null;
  tool: string | null;
  calls: number;
  refused: number;
  failed: number;
  cost: number;
  /** The last call of any kind. */
  last: string | null;
}

function later(one: string | null, other: string | null): string | null {
  return one === null || (other !== null && Date.parse(other) > Date.parse(one)) ? other : one;
}

/** Adds usage up by agent, by tool, or not at all. */
export function rowsBy(usage: Usage[], by: By): Row[] {
  const rows = new Map<string, Row>();
  for (const each of usage) {
    const agent = by === 'tool' ? null : each.agent_id;
    const tool = by === 'agent' ? null : each.tool_name;
    const key = JSON.stringify([agent, tool]);
    const row = rows.get(key) ?? { agent, tool, calls: 0, refused: 0, failed: 0, cost: 0, last: null };
    row.calls += each.calls;
    row.refused += each.refused;
    row.failed += each.failed;
    row.cost += each.cost;
    row.last = later(row.last, later(each.last_used_at, each.last_refused_at));
    rows.set(key, row);
  }
  return [...rows.values()];
}

export function sorted(rows: Row[], sort: Sort): Row[] {
  const value = (row: Row) => (sort === 'last' ? Date.parse(row.last ?? '1970-01-01') : row[sort]);
  const name = (row: Row) => `${row.agent ?? ''} ${row.tool ?? ''}`;
  return rows.toSorted((one, other) => value(other) - value(one) || name(one).localeCompare(name(other)));
}
