import type { AuditRecord } from '../../api/types';

/** Idle time longer than this is drawn as a gap of a fixed width. */
export const IDLE_MS = 10_000;
/** The minimum duration of a stretch of calls, so that single calls are visible. */
const LEAST_MS = 500;
/** Gaps take at most this part of the width, however many there are. */
const GAPS_MAX = 0.4;
const GAP = 0.05;

export interface Mark {
  record: AuditRecord;
  /** From 0 to 1 on the line. */
  left: number;
  width: number;
}

export interface Gap {
  left: number;
  width: number;
  ms: number;
}

export interface TimeLine {
  marks: Mark[];
  gaps: Gap[];
  /** By record id, the idle time before it, if it is drawn as a gap. */
  idleBefore: Map<number, number>;
}

interface Stretch {
  start: number;
  end: number;
  records: AuditRecord[];
  idle: number;
}

export function startOf(record: AuditRecord): number {
  return Date.parse(record.timestamp);
}

function endOf(record: AuditRecord): number {
  return startOf(record) + (record.execution_time_ms ?? 0);
}

/** Places calls on a line on which idle time is compressed; within a stretch of calls, distances are true. */
export function timeLine(records: AuditRecord[]): TimeLine {
  const sorted = [...records].sort((one, other) => startOf(one) - startOf(other));
  const stretches: Stretch[] = [];
  const idleBefore = new Map<number, number>();
  for (const record of sorted) {
    const last = stretches.at(-1);
    const idle = last === undefined ? 0 : startOf(record) - last.end;
    if (last === undefined || idle > IDLE_MS) {
      stretches.push({ start: startOf(record), end: endOf(record), records: [record], idle });
      if (idle > 0) {
        idleBefore.set(record.id, idle);
      }
    } else {
      last.end = Math.max(last.end, endOf(record));
      last.records.push(record);
    }
  }
  const gapWidth = stretches.length < 2 ? 0 : Math.min(GAP, GAPS_MAX / (stretches.length - 1));
  const lengths = stretches.map((each) => Math.max(each.end - each.start, LEAST_MS));
  const total = lengths.reduce((sum, each) => sum + each, 0);
  const room = 1 - gapWidth * Math.max(stretches.length - 1, 0);
  const marks: Mark[] = [];
  const gaps: Gap[] = [];
  let at = 0;
  stretches.forEach((stretch, number) => {
    if (number > 0) {
      gaps.push({ left: at, width: gapWidth, ms: stretch.idle });
      at += gapWidth;
    }
    const length = lengths[number] ?? LEAST_MS;
    const width = (room * length) / total;
    for (const record of stretch.records) {
      marks.push({
        record,
        left: at + (width * (startOf(record) - stretch.start)) / length,
        width: (width * (endOf(record) - startOf(record))) / length,
      });
    }
    at += width;
  });
  return { marks, gaps, idleBefore };
}
