import type { components } from '#schema';

export type Histogram = components['schemas']['AuditHistogram'];

export const SECONDS = { minute: 60, hour: 3600, day: 86_400 } as const;

/** The counts of a histogram with its empty intervals, which the server leaves out. */
export function filled(histogram: Histogram) {
  const step = SECONDS[histogram.interval];
  const first = Date.parse(histogram.start_date) / 1000;
  const end = Date.parse(histogram.end_date) / 1000;
  const found = new Map(histogram.buckets.map((each) => [Date.parse(each.time) / 1000, each]));
  const times = Array.from({ length: Math.max(0, Math.ceil((end - first) / step)) }, (_, at) => first + at * step);
  const of = (name: 'completed' | 'failed' | 'refused' | 'interrupted') =>
    times.map((time) => found.get(time)?.[name] ?? 0);
  return { step, times, completed: of('completed'), failed: of('failed'), refused: of('refused'), interrupted: of('interrupted') };
}

export function sum(values: number[]): number {
  return values.reduce((one, other) => one + other, 0);
}
