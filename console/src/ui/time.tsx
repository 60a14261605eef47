import { useSyncExternalStore } from 'react';
import { t } from '../strings';

/** Makes a value when it is first used: formats of dates take a tenth of the time to the first page, which may need none. */
function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const local = onFirstUse(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
const brief = onFirstUse(
  () =>
    new Intl.DateTimeFormat(undefined, {
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
);
const relative = onFirstUse(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' }));
const number = onFirstUse(() => new Intl.NumberFormat());
const cost = onFirstUse(
  () => new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
);

let now = Date.now();
const listeners = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  ticking ??= setInterval(() => {
    now = Date.now();
    listeners.forEach((each) => each());
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(ticking);
      ticking = undefined;
    }
  };
}

/** The time, every second; one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

export function formatNumber(value: number): string {
  return number().format(value);
}

/** A sum of costs; the settings define no currency. */
export function formatCost(value: number): string {
  return cost().format(value);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A size in its largest unit, of 1,024 each. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: UNITS[step] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(bytes / 1024 ** step);
}

export function formatDuration(ms: number): string {
  return ms < 1000 ? t.time.ms(ms) : t.time.seconds((ms / 1000).toFixed(ms < 10_000 ? 1 : 0));
}

/** A length of time in its two largest units: "3 min 20 s", "2 d 4 h". */
export function formatSpan(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts: [string, number][] = [
    [t.time.units.days, Math.floor(seconds / 86_400)],
    [t.time.units.hours, Math.floor(seconds / 3600) % 24],
    [t.time.units.minutes, Math.floor(seconds / 60) % 60],
    [t.time.units.seconds, seconds % 60],
  ];
  const first = parts.findIndex(([, value]) => value > 0);
  return parts
    .slice(first < 0 ? 3 : first, (first < 0 ? 3 : first) + 2)
    .filter(([, value], number) => value > 0 || number === 0)
    .map(([unit, value]) => `${value} ${unit}`)
    .join(' ');
}

/** "2 minutes ago", "in 3 hours". */
export function formatRelative(at: string, from: number): string {
  const seconds = Math.round((Date.parse(at) - from) / 1000);
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ['second', 60],
    ['minute', 60],
    ['hour', 24],
    ['day', 30],
    ['month', 12],
    ['year', Infinity],
  ];
  let value = seconds;
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) {
      return relative().format(Math.round(value), unit);
    }
    value /= size;
  }
  return '';
}

/** A time in the reader's zone, in UTC on hover. */
export function Time({ at, short = false }: { at: string; short?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toISOString().replace('T', ' ').replace(/\.\d+Z$/, '')} UTC`}>
      {(short ? brief() : local()).format(date)}
    </time>
  );
}

/** How long ago or ahead, with the exact time on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time
      dateTime={at}
      // Not before it is wanted: there may be many, and they are rendered again every second.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = `${local().format(new Date(at))} (${new Date(at).toISOString()})`;
      }}
    >
      {formatRelative(at, useNow())}
    </time>
  );
}

/** The time that is left, to the second. */
export function Countdown({ until }: { until: string }) {
  const seconds = Math.max(0, Math.floor((Date.parse(until) - useNow()) / 1000));
  const text =
    seconds >= 3600
      ? t.time.hoursMinutes(Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60))
      : t.time.minutesSeconds(Math.floor(seconds / 60), seconds % 60);
  return (
    <time className={seconds < 60 ? 'countdown soon' : 'countdown'} dateTime={until} title={local().format(new Date(until))}>
      {seconds === 0 ? t.time.expired : text}
    </time>
  );
}

/** A time for a datetime-local input, which has no zone. */
export function localTime(at: string | null): string {
  if (at === null) {
    return '';
  }
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60e3).toISOString().slice(0, 16);
}
