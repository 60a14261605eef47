import { ActionIcon, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useEffect, useMemo, useRef } from 'react';
import { MAX_ROWS, sessionRecords } from '../../api/audit';
import { useLive } from '../../api/live';
import type { AuditRecord } from '../../api/types';
import { useMay } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { Arguments } from '../../ui/Arguments';
import { OutcomeBadge } from '../../ui/badges';
import { Icon } from '../../ui/Icon';
import { Empty, Loaded } from '../../ui/States';
import { formatDuration, formatSpan, Time } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import { timeLine, type TimeLine } from './timeline';

const route = getRouteApi('/sessions/$id');

/** The calls of a session on a timeline, one of them in full; the arrow keys step through them. */
export function Calls({ session }: { session: string }) {
  const may = useMay();
  const client = useQueryClient();
  const query = useQuery(sessionRecords(session));
  useLive(
    'audit',
    () => void client.invalidateQueries({ queryKey: sessionRecords(session).queryKey }),
    may('read_audit'),
  );
  return (
    <Loaded query={query}>
      {(records) =>
        records.length === 0 ? (
          <Empty icon="activity" title={t.sessions.noCalls}>
            {t.sessions.noCallsAbout}
          </Empty>
        ) : (
          <Steps records={records} />
        )
      }
    </Loaded>
  );
}

function Steps({ records }: { records: AuditRecord[] }) {
  const { call } = route.useSearch();
  const navigate = route.useNavigate();
  const line = useMemo(() => timeLine(records), [records]);
  const ordered = line.marks.map((mark) => mark.record);
  const found = ordered.findIndex((each) => String(each.id) === call);
  const at = Math.max(found, 0);
  const current = ordered[at]!;
  const list = useRef<HTMLOListElement>(null);
  const choose = (record: AuditRecord) =>
    void navigate({
      search: (before) => ({ ...before, call: String(record.id) }),
      replace: true,
      resetScroll: false,
    });
  const step = (by: number) => {
    const next = ordered[Math.min(Math.max(at + by, 0), ordered.length - 1)];
    if (next !== undefined && next !== current) {
      choose(next);
    }
  };
  useShortcuts({
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-ordered.length),
    End: () => step(ordered.length),
  });
  useEffect(() => {
    if (call !== undefined) {
      // Only the list scrolls, not the page.
      const pane = list.current?.parentElement;
      const row = list.current?.querySelector<HTMLElement>('.current');
      if (pane != null && row != null) {
        const top = row.offsetTop - pane.offsetTop;
        if (top < pane.scrollTop || top + row.offsetHeight > pane.scrollTop + pane.clientHeight) {
          pane.scrollTop = top - pane.clientHeight / 2;
        }
      }
    }
  }, [call]);
  return (
    <>
      <Strip line={line} current={current} onChoose={choose} />
      <Group justify="space-between" my="sm">
        <Group gap="xs">
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t.sessions.previous}
            disabled={at === 0}
            onClick={() => step(-1)}
          >
            <Icon name="back" />
          </ActionIcon>
          <Text size="sm" role="status" className="nowrap">
            {t.sessions.callOf(at + 1, ordered.length)}
          </Text>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t.sessions.next}
            disabled={at === ordered.length - 1}
            onClick={() => step(1)}
          >
            <Icon name="next" />
          </ActionIcon>
        </Group>
        <Text size="sm" c="dimmed" visibleFrom="sm">
          {t.sessions.keys}
        </Text>
      </Group>
      {records.length >= MAX_ROWS && (
        <Text size="sm" mb="sm">
          {t.sessions.tooMany(MAX_ROWS)}
        </Text>
      )}
      <div className="panes session-panes">
        <div className="pane-list session-list" tabIndex={-1}>
          <ol className="rows" ref={list} aria-label={t.sessions.calls}>
            {ordered.map((record) => (
              <Fragment key={record.id}>
                {line.idleBefore.has(record.id) && (
                  <li className="row idle">{t.sessions.idle(formatSpan(line.idleBefore.get(record.id) ?? 0))}</li>
                )}
                <li className={record === current ? 'row current' : 'row'}>
                  <button
                    type="button"
                    className="row-button"
                    aria-current={record === current ? 'true' : undefined}
                    onClick={() => choose(record)}
                  >
                    <span className="row-main">
                      <strong>
                        <Untrusted mono>{record.tool_name}</Untrusted>
                      </strong>
                      <span className="row-sub">
                        <Time at={record.timestamp} short />
                        {record.execution_time_ms !== null && ` · ${formatDuration(record.execution_time_ms)}`}
                      </span>
                    </span>
                    <span className="row-side">
                      <OutcomeBadge record={record} />
                    </span>
                  </button>
                </li>
              </Fragment>
            ))}
          </ol>
        </div>
        <Detail record={current} />
      </div>
    </>
  );
}

/** The timeline is hidden from screen readers; the list beside it has the same content. */
function Strip({
  line,
  current,
  onChoose,
}: {
  line: TimeLine;
  current: AuditRecord;
  onChoose: (record: AuditRecord) => void;
}) {
  const first = line.marks[0]?.record;
  const last = line.marks.at(-1)?.record;
  return (
    <div aria-hidden="true">
      <div className="strip">
        <div className="strip-inner">
          {line.gaps.map((gap) => (
            <div
              key={gap.left}
              className="strip-gap"
              style={{ left: `${gap.left * 100}%`, width: `${gap.width * 100}%` }}
              title={t.sessions.idle(formatSpan(gap.ms))}
            >
              <span>{formatSpan(gap.ms)}</span>
            </div>
          ))}
          {line.marks.map(({ record, left, width }) => (
            <div
              key={record.id}
              className={`strip-mark ${record.status.toLowerCase()}${record === current ? ' current' : ''}`}
              style={{ left: `${left * 100}%`, width: `max(5px, ${width * 100}%)` }}
              title={`${record.tool_name} · ${t.outcomes[record.status]}`}
              onClick={() => onChoose(record)}
            />
          ))}
        </div>
      </div>
      <Group justify="space-between" className="strip-ends">
        {first !== undefined && <Time at={first.timestamp} short />}
        {last !== undefined && last !== first && <Time at={last.timestamp} short />}
      </Group>
    </div>
  );
}

function Detail({ record }: { record: AuditRecord }) {
  const may = useMay();
  return (
    <Paper withBorder p="md" className="pane-detail" component="section" aria-label={t.sessions.call}>
      <Group justify="space-between" align="flex-start" mb="xs">
        <div>
          <Title order={2} size="h4">
            <Untrusted mono>{record.tool_name}</Untrusted>
          </Title>
          <Text size="sm" c="dimmed" component="div">
            <Time at={record.timestamp} />
            {record.execution_time_ms !== null && ` · ${formatDuration(record.execution_time_ms)}`}
          </Text>
        </div>
        <OutcomeBadge record={record} />
      </Group>
      {record.denial_reason !== null && record.denial_reason !== '' && (
        <Text size="sm" mb="sm">
          <Untrusted>{record.denial_reason}</Untrusted>
        </Text>
      )}
      <Title order={3} size="h5" mb={4}>
        {t.approvals.arguments}
      </Title>
      <Arguments value={record.parameters as Record<string, unknown>} masked={record.masked_characters} />
      {record.result_summary !== null && record.result_summary !== '' && (
        <>
          <Title order={3} size="h5" mt="md" mb={4}>
            {t.activity.result}
          </Title>
          <UntrustedBlock text={record.result_summary} label={t.activity.result} />
        </>
      )}
      <Group mt="md" gap="xs">
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => (
            <Link
              to="/activity/$id"
              params={{ id: String(record.id) }}
              search={{ request: record.request_id }}
              {...props}
            />
          )}
        >
          {t.sessions.toRecord}
        </Button>
        {may('read_permissions') && (
          <Button
            size="xs"
            variant="subtle"
            renderRoot={(props) => (
              <Link to="/try" search={{ tool: record.tool_name, agent: record.agent_id }} {...props} />
            )}
          >
            {t.try.title}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
