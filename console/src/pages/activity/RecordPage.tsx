import { Anchor, Button, Code, Group, Paper, SimpleGrid, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { auditRecord } from '../../api/audit';
import type { AuditRecord } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Arguments } from '../../ui/Arguments';
import { OutcomeBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { Icon, type IconName } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Loaded } from '../../ui/States';
import { formatDuration, Time } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import { Fact } from '../approvals/Preview';
import { Artifacts } from './Artifacts';
import { Undo } from './Undo';
import { SessionLink } from '../sessions/SessionLink';
import { Why } from './Why';

const route = getRouteApi('/activity/$id');

/** One record, by the stages of the gate's pipeline. */
export function RecordPage() {
  const { id } = route.useParams();
  const { request = '' } = route.useSearch();
  const query = useQuery(auditRecord(id));
  return (
    <>
      <PageHeader
        title={t.activity.record(id)}
        about={
          <Anchor size="sm" renderRoot={(props) => <Link to="/activity" {...props} />}>
            {t.activity.back}
          </Anchor>
        }
      >
        <Command
          cli={request === '' ? null : ['audit', 'list', '--request', request]}
          http={{ method: 'GET', path: `/api/v1/audit/logs/${encodeURIComponent(id)}` }}
        />
      </PageHeader>
      <Loaded query={query}>{(record) => <Stages record={record} />}</Loaded>
    </>
  );
}

function Stages({ record }: { record: AuditRecord }) {
  const may = useMay();
  const isCall = record.kind === 'call';
  const refused = !record.allowed;
  const held = record.approved_by !== null || (record.error_code ?? '').startsWith('APPROVAL_');
  return (
    <>
      <Paper withBorder p="md" mb="lg">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h3">
              <Untrusted mono>{record.tool_name}</Untrusted>
            </Title>
            <Text size="sm" c="dimmed" component="div">
              <Untrusted>{record.agent_id}</Untrusted> · <Time at={record.timestamp} />
            </Text>
          </div>
          <OutcomeBadge record={record} />
        </Group>
        {record.denial_reason !== null && record.denial_reason !== '' && (
          <Text mt="sm">
            <Untrusted>{record.denial_reason}</Untrusted>
          </Text>
        )}
        {isCall && (
          <Group mt="md" gap="xs">
            {may('read_permissions') && (
              <Button
                size="xs"
                variant="default"
                renderRoot={(props) => (
                  <Link
                    to="/agents/$id"
                    params={{ id: record.agent_id }}
                    search={{ tab: 'access', tool: record.tool_name }}
                    {...props}
                  />
                )}
              >
                {t.activity.changeAccess}
              </Button>
            )}
            <Why record={record} />
            <Undo record={record} />
            {may('read_permissions') && (
              <Button
                size="xs"
                variant="default"
                renderRoot={(props) => (
                  <Link to="/try" search={{ tool: record.tool_name, agent: record.agent_id }} {...props} />
                )}
              >
                {t.try.title}
              </Button>
            )}
            <Button
              size="xs"
              variant="subtle"
              renderRoot={(props) => (
                <Link to="/activity" search={{ agent_id: record.agent_id, tool_name: record.tool_name }} {...props} />
              )}
            >
              {t.activity.similar}
            </Button>
          </Group>
        )}
      </Paper>
      <Timeline bulletSize={28} lineWidth={2} active={-1}>
        <Stage icon="person" title={t.stages.admit}>
          <Facts>
            <Fact name={t.activity.principal}>
              <Untrusted>{record.principal ?? t.unknown}</Untrusted>
            </Fact>
            <Fact name={t.activity.client}>
              <Untrusted>{record.client ?? t.unknown}</Untrusted>
            </Fact>
            <Linked name={t.activity.requestId} value={record.request_id} parameter="request_id" />
            <Linked name={t.activity.correlation} value={record.correlation_id} parameter="correlation_id" />
            <Linked name={t.activity.conversation} value={record.conversation_id} parameter="conversation_id" />
            {record.session_id !== null && (
              <Fact name={t.approvals.session}>
                <SessionLink id={record.session_id} call={record.id} />
              </Fact>
            )}
          </Facts>
        </Stage>
        <Stage icon="tools" title={t.stages.bind}>
          <Text size="sm" mb="xs">
            {t.approvals.operation}: <Untrusted>{record.operation}</Untrusted>
          </Text>
          <Arguments value={record.parameters as Record<string, unknown>} masked={record.masked_characters} />
        </Stage>
        <Stage icon={refused ? 'cross' : 'check'} title={t.stages.decide}>
          <Text size="sm">
            {refused ? t.activity.decidedNo : t.activity.decidedYes}{' '}
            {record.error_code !== null && <Code>{record.error_code}</Code>}
          </Text>
          {refused && record.denial_reason !== null && (
            <Text size="sm">
              <Untrusted>{record.denial_reason}</Untrusted>
            </Text>
          )}
        </Stage>
        {held && (
          <Stage icon="approvals" title={t.stages.hold}>
            <Text size="sm" component="div">
              {record.approved_by === null ? t.activity.nobody : <Untrusted>{record.approved_by}</Untrusted>}{' '}
              {record.approved_at !== null && <Time at={record.approved_at} />}
            </Text>
            {record.approval_reason !== null && (
              <Text size="sm">
                <Untrusted>{record.approval_reason}</Untrusted>
              </Text>
            )}
            {record.approval_rule_id !== null && (
              <Text size="sm">
                {t.activity.rule} <Untrusted mono>{record.approval_rule_id}</Untrusted>
              </Text>
            )}
          </Stage>
        )}
        {!refused && (
          <Stage icon="activity" title={t.stages.run}>
            <Facts>
              <Fact name={t.activity.duration}>
                {record.execution_time_ms === null ? t.unknown : formatDuration(record.execution_time_ms)}
              </Fact>
              {record.cost !== null && <Fact name={t.activity.cost}>{record.cost}</Fact>}
            </Facts>
            {record.result_summary !== null && record.result_summary !== '' && (
              <UntrustedBlock text={record.result_summary} label={t.activity.result} />
            )}
            {isCall && may('read_artifacts') && <Artifacts record={record} />}
          </Stage>
        )}
        <Stage icon="key" title={t.stages.seal}>
          <Facts>
            <Fact name={t.activity.sequence}>{record.sequence}</Fact>
            <Fact name={t.activity.instance}>
              <span className="mono wrap">{record.instance_id}</span>
            </Fact>
          </Facts>
          <Text size="xs" c="dimmed" mt="xs">
            {t.activity.hash}
          </Text>
          <UntrustedBlock text={record.hash} />
          <Text size="xs" c="dimmed">
            {t.activity.previousHash}
          </Text>
          <UntrustedBlock text={record.previous_hash} />
        </Stage>
      </Timeline>
    </>
  );
}

function Stage({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <Timeline.Item bullet={<Icon name={icon} size={15} />} title={<Title order={3} size="h5">{title}</Title>}>
      {children}
    </Timeline.Item>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="xs" mt={4}>
      {children}
    </SimpleGrid>
  );
}

/** An id that links to all records with the same id. */
function Linked({
  name,
  value,
  parameter,
}: {
  name: string;
  value: string | null;
  parameter: 'request_id' | 'correlation_id' | 'conversation_id' | 'session_id';
}) {
  if (value === null) {
    return null;
  }
  return (
    <Fact name={name}>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/activity" search={{ [parameter]: value, kind: 'all' }} {...props} />}
      >
        <Untrusted mono>{value}</Untrusted>
      </Anchor>
    </Fact>
  );
}
