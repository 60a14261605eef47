import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { auditHistogram, type AuditFilter } from '../../api/audit';
import { t } from '../../strings';
import { Bars } from '../../ui/plot/Bars';
import { filled, sum } from '../../ui/plot/intervals';
import { Loading, Problem } from '../../ui/States';
import { formatNumber, Time } from '../../ui/time';
import { moved } from './filters';

/** The number of records over time. A period is chosen by dragging, or with the buttons for users who cannot drag. */
export function Histogram({
  filter,
  onPeriod,
}: {
  /** With a start and an end time. */
  filter: AuditFilter;
  onPeriod: (from: Date, until: Date) => void;
}) {
  const query = useQuery({ ...auditHistogram(filter), placeholderData: (before) => before });
  if (query.error !== null) {
    return <Problem error={query.error} retry={() => void query.refetch()} />;
  }
  if (query.data === undefined) {
    return (
      <div className="plot-loading">
        <Loading lines={4} />
      </div>
    );
  }
  const { approximate, start_date: start, end_date: end } = query.data;
  const { step, times, completed, failed, refused, interrupted } = filled(query.data);
  const series = [
    { label: t.outcomes.COMPLETED, colour: 'green' as const, values: completed },
    { label: t.outcomes.REFUSED, colour: 'red' as const, values: refused },
    { label: t.outcomes.FAILED, colour: 'orange' as const, values: failed },
    { label: t.outcomes.INTERRUPTED, colour: 'grape' as const, values: interrupted },
  ].filter((each, at) => at < 3 || sum(each.values) > 0);
  const choose = (from: number, until: number) => {
    const first = Math.floor(from / step) * step;
    onPeriod(new Date(first * 1000), new Date(Math.max(Math.ceil(until / step) * step, first + step) * 1000));
  };
  const shift = (how: 'earlier' | 'later' | 'wider') => {
    const [from, until] = moved(Date.parse(start), Date.parse(end), how, Math.ceil(Date.now() / 60e3) * 60e3);
    onPeriod(new Date(from), new Date(until));
  };
  const total = sum(completed) + sum(failed) + sum(refused) + sum(interrupted);
  return (
    <section className="histogram" aria-label={t.activity.overTime}>
      <Bars
        times={times}
        step={step}
        series={series}
        label={t.activity.histogramOf(formatNumber(total), formatNumber(sum(refused)), formatNumber(sum(failed)))}
        onSelect={choose}
        format={formatNumber}
      />
      <Group justify="space-between" gap="xs" mt={6}>
        <Text size="xs" c="dimmed" component="div">
          <Time at={start} short /> – <Time at={end} short /> · {t.activity.every[query.data.interval]}
          {approximate && ` · ${t.activity.approximate}`}
        </Text>
        <Group gap={4}>
          {(['earlier', 'wider', 'later'] as const).map((how) => (
            <Button key={how} size="compact-xs" variant="default" onClick={() => shift(how)}>
              {t.activity.shift[how]}
            </Button>
          ))}
        </Group>
      </Group>
    </section>
  );
}
