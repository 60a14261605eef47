import { Anchor, Button, Paper, SimpleGrid, Tabs } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { exportAddress } from '../../api/audit';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { Session } from '../../api/types';
import { useMay, useWho } from '../../app/session';
import { t } from '../../strings';
import { SessionBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { Confirm } from '../../ui/confirm';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { withReason } from '../../ui/ReasonInput';
import { Loaded } from '../../ui/States';
import { Ago, Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { Fact } from '../approvals/Preview';
import { Calls } from './Calls';
import { FileChanges } from './FileChanges';
import { Limits } from './Limits';

const route = getRouteApi('/sessions/$id');

/** One session: its limits, its calls in time, and the files it changed. */
export function SessionPage() {
  const { id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const who = useWho();
  const query = useQuery(queries.session(id));
  const [ending, setEnding] = useState(false);
  const readsCalls = may('read_agent_audit');
  const tab = search.tab ?? (readsCalls ? 'calls' : 'limits');
  const session = query.data;
  const mayEnd = may('manage_sessions') || who.agent_id !== undefined;
  return (
    <>
      <PageHeader
        title={id}
        heading={<Untrusted mono>{id}</Untrusted>}
        about={
          <Anchor size="sm" renderRoot={(props) => <Link to="/sessions" {...props} />}>
            {t.sessions.back}
          </Anchor>
        }
      >
        {may('read_audit') && (
          <Button
            component="a"
            href={exportAddress({ session_id: id }, 'jsonl')}
            download
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={15} />}
          >
            {t.sessions.export}
          </Button>
        )}
        <Command
          cli={['audit', 'list', '--session', id]}
          http={[
            { method: 'GET', path: `/api/v1/sessions/${encodeURIComponent(id)}` },
            { method: 'GET', path: `/api/v1/audit/logs?${new URLSearchParams({ session_id: id, order: 'asc' })}` },
          ]}
        />
        {session?.status === 'active' && mayEnd && (
          <Button color="red" variant="light" size="xs" onClick={() => setEnding(true)}>
            {t.sessions.end}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(found) => (
          <>
            <Facts session={found} />
            <Tabs
              value={tab}
              onChange={(next) => void navigate({ search: next === null ? {} : { tab: next } })}
              keepMounted={false}
            >
              <Tabs.List mb="md">
                {readsCalls && <Tabs.Tab value="calls">{t.sessions.tabs.calls}</Tabs.Tab>}
                <Tabs.Tab value="limits">{t.sessions.tabs.limits}</Tabs.Tab>
                <Tabs.Tab value="files">{t.sessions.tabs.files}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="calls">{readsCalls && <Calls session={id} />}</Tabs.Panel>
              <Tabs.Panel value="limits">
                <Limits bundle={found.policy_bundle} />
              </Tabs.Panel>
              <Tabs.Panel value="files">
                <FileChanges session={id} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
      {ending && <EndSession id={id} onClose={() => setEnding(false)} />}
    </>
  );
}

function Facts({ session }: { session: Session }) {
  const { agent_id: agent } = session;
  return (
    <Paper withBorder p="md" mb="lg">
      <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
        <Fact name={t.sessions.state}>
          <SessionBadge status={session.status} />
        </Fact>
        <Fact name={t.agents.one}>
          {agent !== undefined && (
            <Anchor size="sm" renderRoot={(props) => <Link to="/agents/$id" params={{ id: agent }} {...props} />}>
              <Untrusted>{agent}</Untrusted>
            </Anchor>
          )}
        </Fact>
        <Fact name={t.sessions.user}>
          <Untrusted>{session.policy_bundle.userId}</Untrusted>
        </Fact>
        <Fact name={t.sessions.started}>
          <Time at={session.created_at} />
          {session.created_by !== undefined && (
            <div className="row-sub">
              <Untrusted>{session.created_by}</Untrusted>
            </div>
          )}
        </Fact>
        <Fact name={t.sessions.until}>
          <Ago at={session.ended_at ?? session.expires_at} />
        </Fact>
        {session.workspace_id !== undefined && (
          <Fact name={t.sessions.workspace}>
            <Untrusted mono>{session.workspace_id}</Untrusted>
          </Fact>
        )}
      </SimpleGrid>
    </Paper>
  );
}

function EndSession({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const path = `/api/v1/sessions/${encodeURIComponent(id)}`;
  return (
    <Confirm
      title={t.sessions.endTitle}
      action={t.sessions.end}
      onClose={onClose}
      command={(reason) => ({
        cli: null,
        http: { method: 'DELETE', path: withReason(path, reason) },
      })}
      onConfirm={async (reason) => {
        await answer(
          api.DELETE('/api/v1/sessions/{session_id}', {
            params: { path: { session_id: id }, ...(reason !== '' && { query: { reason } }) },
          }),
        );
        await client.invalidateQueries({ queryKey: ['sessions'] });
      }}
    >
      {t.sessions.endAbout}
    </Confirm>
  );
}
