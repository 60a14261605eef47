import type { AuditFilter } from '../../api/audit';

/** Parameters that have the same name in the API, all strings. */
const SAME = [
  'agent_id',
  'tool_name',
  'q',
  'end_date',
  'request_id',
  'correlation_id',
  'conversation_id',
  'project_id',
  'session_id',
  'error_code',
  'principal',
] as const;

/** The query parameters, all strings. */
export type ActivitySearch = Partial<
  Record<(typeof SAME)[number] | 'allowed' | 'kind' | 'since' | 'start_date' | 'status' | 'page', string>
>;

const LENGTHS: Record<string, number> = { '1h': 3600e3, '24h': 86_400e3, '7d': 7 * 86_400e3, '30d': 30 * 86_400e3 };
const STATUSES = ['COMPLETED', 'FAILED', 'REFUSED', 'INTERRUPTED'] as const;
/** The maximum number of days in a histogram. */
const MAX_DAYS = 2000;

/** The filter for the API. A relative period begins at a full minute, so that repeated queries hit the cache. */
export function auditFilter(search: ActivitySearch, now: number): AuditFilter {
  const { since, allowed, kind, start_date } = search;
  const length = since === undefined ? undefined : LENGTHS[since];
  const start =
    start_date ?? (length === undefined ? undefined : new Date(Math.floor((now - length) / 60e3) * 60e3).toISOString());
  const status = STATUSES.find((each) => each === search.status);
  return {
    ...(Object.fromEntries(
      SAME.filter((name) => search[name] !== undefined).map((name) => [name, search[name]]),
    ) as AuditFilter),
    ...(allowed === 'true' && { allowed: true }),
    ...(allowed === 'false' && { allowed: false }),
    ...((kind === 'call' || kind === 'administration' || kind === 'all') && { kind }),
    ...(status !== undefined && { status }),
    ...(start !== undefined && { start_date: start }),
  };
}

/** The same filter with a start and an end time, for counts; "any time" begins with the oldest record. */
export function counted(filter: AuditFilter, oldest: string | null, now: number): AuditFilter {
  const end = filter.end_date ?? new Date(Math.ceil(now / 60e3) * 60e3).toISOString();
  const earliest = Date.parse(end) - MAX_DAYS * 86_400e3;
  const start = filter.start_date ?? oldest ?? new Date(Date.parse(end) - 86_400e3).toISOString();
  return { ...filter, start_date: new Date(Math.max(Date.parse(start), earliest)).toISOString(), end_date: end };
}

const OPTIONS: [keyof ActivitySearch, string][] = [
  ['agent_id', '--agent'],
  ['tool_name', '--tool'],
  ['project_id', '--project'],
  ['request_id', '--request'],
  ['conversation_id', '--conversation'],
  ['session_id', '--session'],
  ['error_code', '--error'],
  ['principal', '--principal'],
  ['q', '--text'],
  ['start_date', '--since'],
  ['end_date', '--until'],
];

/** The same query for the command line. */
export function auditWords(search: ActivitySearch): string[] {
  const words = ['audit', 'list'];
  for (const [name, option] of OPTIONS) {
    const value = search[name];
    if (value !== undefined) {
      words.push(option, value);
    }
  }
  if (search.since !== undefined && search.start_date === undefined) {
    words.push('--since', search.since);
  }
  if (search.status !== undefined) {
    words.push('--status', search.status.toLowerCase());
  }
  if (search.allowed === 'true') {
    words.push('--allowed');
  }
  if (search.allowed === 'false') {
    words.push('--denied');
  }
  return words;
}

/** A period moved or stretched: earlier or later by its length, or four times as long around its middle. */
export function moved(from: number, until: number, how: 'earlier' | 'later' | 'wider', now: number): [number, number] {
  const length = until - from;
  switch (how) {
    case 'earlier':
      return [from - length, from];
    case 'later':
      return until + length > now ? [Math.max(0, now - length), now] : [until, until + length];
    case 'wider': {
      const end = Math.min(until + 1.5 * length, now);
      return [end - 4 * length, end];
    }
  }
}
