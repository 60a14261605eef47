import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type uPlot from 'uplot';
import './plot.css';

export type SeriesColour = 'green' | 'red' | 'orange' | 'grape' | 'blue';

export interface BarSeries {
  label: string;
  colour: SeriesColour;
  /** One value for each interval. */
  values: number[];
}

const COLOURS: Record<'light' | 'dark', Record<SeriesColour, string>> = {
  light: { green: '#2f9e44', red: '#c92a2a', orange: '#e8590c', grape: '#9c36b5', blue: '#1971c2' },
  dark: { green: '#51cf66', red: '#ff8787', orange: '#ffa94d', grape: '#da77f2', blue: '#74c0fc' },
};
const INK = { light: { text: '#495057', grid: '#e9ecef' }, dark: { text: '#c9c9c9', grid: '#3a3e45' } };
const FONT = '12px system-ui, sans-serif';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const AXIS_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((each) => each * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((each) => each * HOUR),
  ...[1, 2, 5, 10, 30, 90, 365].map((each) => each * DAY),
];

/** About how wide the label of an axis is, in pixels. */
const LABEL = 40;

/** Times of an axis, as coarse as its steps are. */
function axisTimes(splits: number[], step: number): string[] {
  const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
  let before = '';
  return splits.map((split) => {
    const at = new Date(split * 1000);
    if (step >= 86_400) {
      return day.format(at);
    }
    const date = day.format(at);
    const text = date === before ? clock.format(at) : `${clock.format(at)}\n${date}`;
    before = date;
    return text;
  });
}

/** The times, then for each series the sums of it and all those below it: bars are painted over each other, the highest first. */
function columns({ times, series }: { times: number[]; series: BarSeries[] }): uPlot.AlignedData {
  let below = times.map(() => 0);
  const sums = series.map(({ values }) => {
    below = below.map((sum, at) => sum + (values[at] ?? 0));
    return below;
  });
  return [times, ...sums.toReversed()];
}

/**
 * Stacked bars over time. A period can be chosen by dragging; screen-reader and keyboard users get the text in `label`
 * and the buttons beside it.
 */
export function Bars({
  times,
  step,
  series,
  label,
  height = 140,
  onSelect,
  format,
}: {
  /** Where each interval begins, in seconds. */
  times: number[];
  /** The length of an interval, in seconds. */
  step: number;
  /** From the bottom up. */
  series: BarSeries[];
  label: string;
  height?: number;
  onSelect?: (from: number, until: number) => void;
  format: (value: number) => string;
}) {
  const scheme = useComputedColorScheme('light');
  const place = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  const selectable = onSelect !== undefined;
  // The shown data; it does not change while the user drags, and newer data is shown afterwards.
  const shown = useRef({ times, step, series });
  const drawn = useRef<uPlot | null>(null);
  const waiting = useRef<(() => void) | null>(null);
  const looks = JSON.stringify(series.map((each) => [each.label, each.colour]));
  const data = JSON.stringify([times, step, series.map((each) => each.values)]);
  const coarse = step >= 86_400;
  useEffect(() => {
    const show = () => {
      shown.current = { times, step, series };
      drawn.current?.setData(columns(shown.current));
    };
    if (drawn.current !== null && drawn.current.select.width > 0) {
      waiting.current = show;
    } else {
      show();
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by value: the lists are others at every rendering
  }, [data]);
  const empty = times.length === 0;
  useEffect(() => {
    const element = place.current;
    if (element === null || empty) {
      return undefined;
    }
    let gone = false;
    shown.current = { times, step, series };
    const observer = new ResizeObserver(() => drawn.current?.setSize({ width: element.clientWidth, height }));
    void import('./uplot').then(({ UPlot }) => {
      if (gone) {
        return;
      }
      const tip = document.createElement('div');
      tip.className = 'plot-tip';
      tip.hidden = true;
      const axis = { stroke: INK[scheme].text, font: FONT, ticks: { show: false }, grid: { stroke: INK[scheme].grid, width: 1 } };
      const plot = new UPlot(
        {
          width: element.clientWidth,
          height,
          padding: [8, 8, 0, 0],
          legend: { show: false },
          cursor: {
            y: false,
            points: { show: false },
            drag: { x: selectable, y: false, setScale: false, dist: 4 },
          },
          scales: {
            x: { time: true, range: () => [shown.current.times[0] ?? 0, (shown.current.times.at(-1) ?? 0) + shown.current.step] },
            y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.08 : 1] },
          },
          axes: [
            {
              ...axis,
              grid: { show: false },
              space: 74,
              // Not finer than the counted intervals, or a label would appear twice.
              incrs: () => AXIS_STEPS.filter((each) => each >= Math.min(shown.current.step, 86_400)),
              size: coarse ? 26 : 40,
              // No label where it would be clipped at the right.
              values: (plot, splits, _axis, _space, increment) => {
                const end = plot.over.clientWidth - LABEL / 2;
                return axisTimes(splits, increment).map((text, at) => (plot.valToPos(splits[at]!, 'x') > end ? '' : text));
              },
            },
            {
              ...axis,
              size: 52,
              space: 34,
              // Half a call is not a label.
              values: (_plot, splits) => {
                const counted = shown.current.series.every((each) => each.values.every(Number.isInteger));
                return splits.map((value) => (Number.isInteger(value) || (!counted && value < 10) ? format(value) : ''));
              },
            },
          ],
          // The highest sum first, so that the lower ones are painted over it.
          series: [
            {},
            ...series.toReversed().map((each) => ({
              label: each.label,
              fill: COLOURS[scheme][each.colour],
              stroke: COLOURS[scheme][each.colour],
              width: 0,
              paths: UPlot.paths.bars!({ size: [0.86, 48], align: 1 }),
              points: { show: false },
            })),
          ],
          hooks: {
            setSelect: [
              ({ select: { left, width }, posToVal }) => {
                if (width > 0) {
                  const [from, until] = [posToVal(left, 'x'), posToVal(left + width, 'x')];
                  plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
                  waiting.current?.();
                  waiting.current = null;
                  select.current?.(from, until);
                }
              },
            ],
            setCursor: [
              ({ cursor, posToVal, over }) => {
                const { times: begins, step: length, series: stack } = shown.current;
                const left = cursor.left ?? -1;
                const at = left < 0 ? -1 : Math.floor((posToVal(left, 'x') - begins[0]!) / length);
                tip.hidden = at < 0 || at >= begins.length;
                if (!tip.hidden) {
                  tip.textContent = [
                    new Date(begins[at]! * 1000).toLocaleString(undefined, coarse ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' }),
                    ...stack.filter((each) => (each.values[at] ?? 0) > 0).map((each) => `${each.label}: ${format(each.values[at]!)}`),
                  ].join('\n');
                  const width = over.clientWidth;
                  tip.style.left = left > width / 2 ? '' : `${left + 12}px`;
                  tip.style.right = left > width / 2 ? `${width - left + 12}px` : '';
                }
              },
            ],
          },
        },
        columns(shown.current),
        element,
      );
      drawn.current = plot;
      plot.over.append(tip);
      observer.observe(element);
    });
    return () => {
      gone = true;
      observer.disconnect();
      drawn.current?.destroy();
      drawn.current = null;
      waiting.current = null;
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- data is shown by the effect above, without a new plot
  }, [looks, coarse, scheme, height, selectable, empty]);
  return (
    <div>
      <div ref={place} className={selectable ? 'plot selectable' : 'plot'} role="img" aria-label={label} />
      <ul className="plot-legend">
        {series.map((each) => (
          <li key={each.label}>
            <span className={`plot-colour ${each.colour}`} aria-hidden="true" />
            {each.label} <strong>{format(each.values.reduce((sum, value) => sum + value, 0))}</strong>
          </li>
        ))}
      </ul>
    </div>
  );
}
