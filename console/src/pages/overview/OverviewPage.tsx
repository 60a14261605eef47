import { Anchor, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { auditHistogram, newestRecords } from '../../api/audit';
import type { Page } from '../../api/client';
import { useLive } from '../../api/live';
import { queries } from '../../api/queries';
import { toolUsage } from '../../api/usage';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { sum } from '../../ui/plot/intervals';
import { Loaded } from '../../ui/States';
import { Ago, formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { ChangeLine } from '../changes/ChangeLine';
import { rowsBy, sorted } from '../usage/sums';
import { FirstSteps } from './FirstSteps';

const DAY_MS = 86_400e3;
const SOON_MS = 14 * DAY_MS;
const SHOWN = 5;

/** Pending approvals, the calls of a day, grants and keys that end soon, and the health of the gate. */
export function OverviewPage() {
  const may = useMay();
  const client = useQueryClient();
  const counts = () =>
    ['newest', 'histogram', 'usage'].forEach((each) => void client.invalidateQueries({ queryKey: ['audit', each] }));
  useLive('audit', counts, may('read_audit'));
  return (
    <>
      <PageHeader title={t.overview.title} about={t.overview.about} />
      {useIsNew() ? <FirstSteps /> : <Panels />}
    </>
  );
}

/** Whether the gate has neither calls nor agents. */
function useIsNew(): boolean {
  const may = useMay();
  const readsAgents = may('read_permissions');
  const isUnused = (page: Page<unknown>) => page.items.length === 0;
  const { data: unused = false } = useQuery({ ...newestRecords({}, 1), enabled: may('read_agent_audit'), select: isUnused });
  const { data: none = !readsAgents } = useQuery({ ...queries.anyAgent, enabled: unused && readsAgents, select: isUnused });
  return unused && none;
}

/** Each part fetches its own data, so that an answer renders one part and not all. */
function Panels() {
  const may = useMay();
  const readsAudit = may('read_agent_audit');
  const since = useMemo(() => new Date(Math.floor((Date.now() - DAY_MS) / 60e3) * 60e3).toISOString(), []);
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing={{ base: 'sm', md: 'md' }}>
        <WaitingTile />
        {readsAudit && <CallTiles since={since} />}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        {readsAudit && (
          <Panel title={t.overview.mostRefused}>
            <MostRefused since={since} />
          </Panel>
        )}
        <HealthPanel />
        {may('read_permissions') && <ChangesPanel />}
        {may('read_permissions') && <GrantsPanel />}
        {may('manage_keys') && <KeysPanel />}
      </SimpleGrid>
    </Stack>
  );
}

/** The calls of the last day, and those of them that were refused or failed. */
function CallTiles({ since }: { since: string }) {
  const { data } = useQuery(auditHistogram({ start_date: since }, 'hour'));
  const of = (...names: ('completed' | 'failed' | 'refused' | 'interrupted')[]) =>
    data && formatNumber(sum(data.buckets.flatMap((bucket) => names.map((name) => bucket[name]))));
  return (
    <>
      <Tile
        name={t.overview.calls}
        value={of('completed', 'failed', 'refused', 'interrupted')}
        about={data?.approximate === true ? t.activity.approximate : undefined}
        to="/activity"
        search={{ since: '24h' }}
      />
      <Tile name={t.overview.refused} value={of('refused')} to="/activity" search={{ since: '24h', status: 'REFUSED' }} />
      <Tile name={t.overview.failed} value={of('failed')} to="/activity" search={{ since: '24h', status: 'FAILED' }} />
    </>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function Tile({
  name,
  value,
  about,
  to,
  search = {},
}: {
  name: string;
  value: string | undefined;
  about?: ReactNode;
  to: '/activity' | '/approvals';
  search?: Record<string, string>;
}) {
  return (
    <Link to={to} search={search} className="tile">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text className="tile-value">{value ?? '…'}</Text>
      <Text size="xs" c="dimmed" component="div" mih={18}>
        {about}
      </Text>
    </Link>
  );
}

function WaitingTile() {
  const { data } = useQuery(queries.pendingApprovals);
  const oldest = data?.items.map((each) => each.asked_at).sort()[0];
  return (
    <Tile
      name={t.overview.waiting}
      value={data && (data.next === null ? '' : t.overview.atLeast) + formatNumber(data.items.length)}
      about={
        oldest !== undefined && (
          <>
            {t.overview.oldest} <Ago at={oldest} />
          </>
        )
      }
      to="/approvals"
    />
  );
}

function MostRefused({ since }: { since: string }) {
  const query = useQuery(toolUsage({ since }));
  return (
    <Loaded query={query} lines={3}>
      {({ usage }) => {
        const most = sorted(rowsBy(usage, 'pair'), 'refused').filter((each) => each.refused > 0);
        return most.length === 0 ? (
          <Text c="dimmed">{t.overview.nothingRefused}</Text>
        ) : (
          <Stack gap={6}>
            {most.slice(0, SHOWN).map(({ agent, tool, refused }) => (
              <Group key={`${agent} ${tool}`} justify="space-between" wrap="nowrap" gap="xs">
                <Anchor
                  renderRoot={(props) => (
                    <Link
                      to="/activity"
                      search={{ agent_id: agent ?? '', tool_name: tool ?? '', status: 'REFUSED', since: '24h' }}
                      {...props}
                    />
                  )}
                >
                  <Untrusted>{agent}</Untrusted> → <Untrusted mono>{tool}</Untrusted>
                </Anchor>
                <Text>{formatNumber(refused)}</Text>
              </Group>
            ))}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Grants that the server says end soon, by agent and tool. */
function GrantsPanel() {
  const query = useQuery(queries.matrix);
  return (
    <Panel title={t.overview.grantsEnding}>
      <Loaded query={query} lines={2}>
        {(matrix) => {
          const endsSoon = new Set(Object.keys(matrix.legend).filter((each) => matrix.legend[each]?.ends_soon));
          const ending = (endsSoon.size === 0 ? [] : matrix.agents).flatMap(({ agent_id: agent, cells }) =>
            matrix.tools.filter((_, at) => endsSoon.has(cells.charAt(at))).map(({ name }) => ({ agent, tool: name })),
          );
          return ending.length === 0 ? (
            <Text c="dimmed">{t.overview.noKeyEnds}</Text>
          ) : (
            <Stack gap={6}>
              {ending.slice(0, SHOWN).map(({ agent, tool }) => (
                <Anchor
                  size="sm"
                  key={`${agent} ${tool}`}
                  renderRoot={(props) => <Link to="/agents/$id" params={{ id: agent }} search={{ tool }} {...props} />}
                >
                  <Untrusted>{agent}</Untrusted> → <Untrusted mono>{tool}</Untrusted>
                </Anchor>
              ))}
              <Anchor size="sm" renderRoot={(props) => <Link to="/access" search={{ state: 'ending' }} {...props} />}>
                {t.overview.allEnding}
              </Anchor>
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function HealthPanel() {
  const query = useQuery(queries.health);
  return (
    <Panel title={t.overview.health}>
      <Loaded query={query} lines={4}>
        {(health) => (
          <Stack gap={6}>
            {Object.entries(health.checks).map(([name, check]) => (
              <Group key={name} gap="xs" wrap="nowrap" align="flex-start">
                <span className={`health ${check.status}`}>
                  <Icon name={check.status === 'ok' ? 'check' : 'warning'} size={16} />
                </span>
                <Text size="sm">
                  <strong>{name}</strong> {t.overview.healthStates[check.status]}
                  {'. '}
                  {check.detail}
                </Text>
              </Group>
            ))}
            <Text size="xs" c="dimmed">
              {t.overview.version(health.version)}
            </Text>
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function ChangesPanel() {
  const query = useQuery(queries.changes({ limit: 6 }));
  return (
    <Panel title={t.overview.lastChanges}>
      <Loaded query={query} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t.changes.none}</Text>
          ) : (
            <Stack gap={6}>
              {items.map((each) => (
                <Text size="sm" key={each.id} component="div">
                  <ChangeLine change={each} />{' '}
                  <Text span size="xs" c="dimmed">
                    <Ago at={each.changed_at} />
                  </Text>
                </Text>
              ))}
              <Anchor size="sm" renderRoot={(props) => <Link to="/changes" {...props} />}>
                {t.overview.allChanges}
              </Anchor>
            </Stack>
          )
        }
      </Loaded>
    </Panel>
  );
}

function KeysPanel() {
  const query = useQuery(queries.keys);
  const limit = useMemo(() => new Date(Date.now() + SOON_MS).toISOString(), []);
  return (
    <Panel title={t.overview.keysEnding}>
      <Loaded query={query} lines={2}>
        {(keys) => {
          const ending = keys.filter(
            (each) => each.state === 'usable' && each.expires_at !== null && each.expires_at < limit,
          );
          return ending.length === 0 ? (
            <Text c="dimmed">{t.overview.noKeyEnds}</Text>
          ) : (
            <Stack gap={6}>
              {ending.slice(0, 5).map((each) => (
                <Text size="sm" key={each.key_id} component="div">
                  <Untrusted>{each.name === '' ? each.prefix : each.name}</Untrusted> ({each.role}){' '}
                  {each.expires_at !== null && <Ago at={each.expires_at} />}
                </Text>
              ))}
              <Button
                size="xs"
                variant="default"
                w="fit-content"
                renderRoot={(props) => <Link to="/settings" search={{ tab: 'keys' }} {...props} />}
              >
                {t.overview.toKeys}
              </Button>
            </Stack>
          );
        }}
      </Loaded>
    </Panel>
  );
}
