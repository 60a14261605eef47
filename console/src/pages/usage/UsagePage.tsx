import { Alert, Autocomplete, NativeSelect, SimpleGrid, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { auditHistogram } from '../../api/audit';
import { queries } from '../../api/queries';
import { costsByDay, toolUsage, type Usage } from '../../api/usage';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { PageHeader } from '../../ui/PageHeader';
import { Bars } from '../../ui/plot/Bars';
import { filled, sum } from '../../ui/plot/intervals';
import { Empty, Loaded } from '../../ui/States';
import { formatCost, formatNumber } from '../../ui/time';
import { Proposals } from './Proposals';
import { rowsBy, SORTS, sorted, type By, type Sort } from './sums';
import { UsageTable } from './UsageTable';
import './usage.css';

const route = getRouteApi('/usage');
const DAYS = ['1', '7', '30', '90', '365'] as const;
const VIEWS = ['agent', 'tool', 'pair', 'proposals'] as const;
const DAY = 86_400e3;

/** Usage and cost by agent and tool, and unused permissions. */
export function UsagePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const days = DAYS.find((each) => each === search.days) ?? '30';
  const views = VIEWS.filter((each) => each !== 'proposals' || may('read_permissions'));
  const view = views.find((each) => each === search.view) ?? 'agent';
  const { data: tools } = useQuery(queries.tools);
  const { data: agents } = useQuery({ ...queries.agents, enabled: may('read_permissions') });
  // Rounded to the hour, as usage is counted, so that repeated queries hit the cache.
  const since = useMemo(() => new Date(Math.floor((Date.now() - Number(days) * DAY) / 3600e3) * 3600e3).toISOString(), [days]);
  const filter = {
    ...(search.agent !== undefined && { agent_id: search.agent }),
    ...(search.tool !== undefined && { tool_name: search.tool }),
  };
  const usage = useQuery(toolUsage({ since, ...filter }));
  const address = `/api/v1/permissions/usage?${new URLSearchParams({ since, ...filter })}`;
  return (
    <>
      <PageHeader title={t.usage.title} about={t.usage.about}>
        <Command
          cli={may('read_audit') ? ['audit', 'costs', '--by', view === 'tool' ? 'tool' : 'agent', '--since', `${days}d`] : null}
          http={{ method: 'GET', path: view === 'proposals' ? `/api/v1/permissions/proposals?days=${days}` : address }}
        />
      </PageHeader>
      <search className="filters">
        <NativeSelect
          label={t.usage.period}
          value={days}
          data={DAYS.map((each) => ({ value: each, label: t.usage.days[each] }))}
          onChange={(event) => change({ days: event.currentTarget.value === '30' ? '' : event.currentTarget.value })}
        />
        <Autocomplete
          label={t.activity.agent}
          value={search.agent ?? ''}
          onChange={(agent) => change({ agent })}
          data={(agents ?? []).map((each) => each.agent_id)}
          limit={20}
        />
        <Autocomplete
          label={t.activity.tool}
          value={search.tool ?? ''}
          onChange={(tool) => change({ tool })}
          data={[...new Set((tools ?? []).map((each) => each.name))]}
          limit={20}
        />
      </search>
      <Loaded query={usage}>
        {(found) => (
          <>
            <Totals usage={found.usage} />
            {(found.approximate || found.cut) && (
              <Alert color="yellow" variant="light" mb="md">
                {found.cut ? t.usage.cut : t.usage.approximate}
              </Alert>
            )}
          </>
        )}
      </Loaded>
      <Plots days={days} since={since} filter={filter} />
      <Tabs value={view} onChange={(value) => change({ view: value === 'agent' ? '' : (value ?? '') })} keepMounted={false}>
        <Tabs.List aria-label={t.usage.views}>
          {views.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {t.usage.tabs[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {views.map((each) => (
          <Tabs.Panel key={each} value={each} pt="md">
            {each === 'proposals' ? (
              <Proposals days={Number(days)} agent={search.agent} tool={search.tool} />
            ) : (
              <Loaded query={usage}>
                {(found) => (
                  <ByName usage={found.usage} by={each} sort={SORTS.find((one) => one === search.sort) ?? 'calls'} onSort={(sort) => change({ sort: sort === 'calls' ? '' : sort })} since={since} />
                )}
              </Loaded>
            )}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function Totals({ usage }: { usage: Usage[] }) {
  const of = (name: 'calls' | 'refused' | 'failed' | 'cost') => sum(usage.map((each) => each[name]));
  const agents = new Set(usage.map((each) => each.agent_id)).size;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} mb="md" spacing="sm">
      <Total name={t.usage.calls}>{formatNumber(of('calls'))}</Total>
      <Total name={t.usage.refused}>{formatNumber(of('refused'))}</Total>
      <Total name={t.usage.failed}>{formatNumber(of('failed'))}</Total>
      <Total name={t.usage.agents}>{formatNumber(agents)}</Total>
      <Total name={t.usage.cost}>{formatCost(of('cost'))}</Total>
    </SimpleGrid>
  );
}

function Total({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="tile">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <div className="tile-value">{children}</div>
    </div>
  );
}

/** The calls and costs of each day. */
function Plots({
  days,
  since,
  filter,
}: {
  days: string;
  since: string;
  filter: { agent_id?: string; tool_name?: string };
}) {
  const may = useMay();
  const histogram = useQuery(auditHistogram({ ...filter, start_date: since }, days === '1' ? 'hour' : 'day'));
  // Costs are known by day for all agents and tools together.
  const withCosts = may('read_audit') && filter.agent_id === undefined && filter.tool_name === undefined && days !== '1';
  const costs = useQuery({ ...costsByDay(since), enabled: withCosts });
  return (
    <Loaded query={histogram} lines={4}>
      {(found) => {
        const { step, times, completed, failed, refused, interrupted } = filled(found);
        const spent = new Map((costs.data?.costs ?? []).map((each) => [Date.parse(`${each.name}T00:00:00Z`) / 1000, each.cost]));
        const broken = failed.map((value, at) => value + interrupted[at]!);
        return (
          <div className={spent.size > 0 ? 'plots' : 'plots single'}>
            <section className="card" aria-label={t.usage.callsOverTime}>
              <Title order={2} size="h5" mb={4}>
                {t.usage.callsOverTime}
              </Title>
              <Bars
                times={times}
                step={step}
                series={[
                  { label: t.outcomes.COMPLETED, colour: 'green', values: completed },
                  { label: t.outcomes.REFUSED, colour: 'red', values: refused },
                  { label: t.outcomes.FAILED, colour: 'orange', values: broken },
                ]}
                label={t.usage.callsSummary(formatNumber(sum(completed)), formatNumber(sum(refused)), formatNumber(sum(broken)))}
                height={170}
                format={formatNumber}
              />
            </section>
            {spent.size > 0 && (
              <section className="card" aria-label={t.usage.costOverTime}>
                <Title order={2} size="h5" mb={4}>
                  {t.usage.costOverTime}
                </Title>
                <Bars
                  times={times}
                  step={step}
                  series={[{ label: t.usage.cost, colour: 'blue', values: times.map((time) => spent.get(time) ?? 0) }]}
                  label={t.usage.costSummary(formatCost(sum([...spent.values()])))}
                  height={170}
                  format={formatCost}
                />
              </section>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function ByName({
  usage,
  by,
  sort,
  onSort,
  since,
}: {
  usage: Usage[];
  by: By;
  sort: Sort;
  onSort: (sort: Sort) => void;
  since: string;
}) {
  const rows = useMemo(() => sorted(rowsBy(usage, by), sort), [usage, by, sort]);
  return rows.length === 0 ? (
    <Empty icon="usage" title={t.usage.none}>
      {t.usage.noneAbout}
    </Empty>
  ) : (
    <UsageTable rows={rows} by={by} sort={sort} onSort={onSort} since={since} />
  );
}
