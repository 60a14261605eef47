import { Button, Group, Menu, Select, Tabs, Text } from '@mantine/core';
import { notifications } from '../../ui/notify';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { newestRecords } from '../../api/audit';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import { useLive } from '../../api/live';
import { queries } from '../../api/queries';
import type { TrustLevel } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Confirm } from '../../ui/confirm';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Ago } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { RecordList } from '../activity/RecordList';
import { ChangeTable } from '../changes/ChangesPage';
import { SessionTable } from '../sessions/SessionTable';
import { KeyTable } from '../settings/KeyTable';
import { Access } from './Access';
import { Connect } from './Connect';

const route = getRouteApi('/agents/$id');

/** On a phone the list of tabs scrolls, and the address may name one that is not visible. */
function showActive(list: HTMLElement | null): void {
  list?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** One agent: its access, activity, sessions, keys, history, and how to connect it. */
export function AgentPage() {
  const { id } = route.useParams();
  const { tab = 'access' } = route.useSearch();
  const navigate = route.useNavigate();
  const go = useNavigate();
  const may = useMay();
  const client = useQueryClient();
  const query = useQuery(queries.agent(id));
  const [removing, setRemoving] = useState(false);
  const lastSeen = useQuery({ ...newestRecords({ agent_id: id }, 1), enabled: may('read_agent_audit') });
  const trust = async (level: TrustLevel) => {
    try {
      await answer(
        api.PATCH('/api/v1/agents/{agent_id}', { params: { path: { agent_id: id } }, body: { trust_level: level } }),
      );
    } catch (refused) {
      const error = refused instanceof ApiError ? refused : ApiError.unreachable();
      notifications.show({ color: 'red', title: error.message, message: error.remediation });
    }
    await client.invalidateQueries({ queryKey: ['agents'] });
  };
  return (
    <>
      <PageHeader
        title={id}
        heading={<Untrusted>{id}</Untrusted>}
        about={
          <>
            <Untrusted>{[query.data?.name, query.data?.description].filter(Boolean).join(' · ')}</Untrusted>
            <Text size="sm">
              {t.agents.lastSeen}{' '}
              {lastSeen.data?.items[0] === undefined ? t.never : <Ago at={lastSeen.data.items[0].timestamp} />}
            </Text>
          </>
        }
      >
        <Group gap="xs" align="flex-end">
          {query.data !== undefined && (
            <Select
              label={t.agents.trust}
              w={180}
              value={query.data.trust_level}
              disabled={!may('change_permissions')}
              allowDeselect={false}
              onChange={(value) => value !== null && void trust(value as TrustLevel)}
              data={(['supervised', 'guided', 'autonomous'] as const).map((each) => ({
                value: each,
                label: t.agents.trustLevels[each],
              }))}
            />
          )}
          <Button
            variant="default"
            leftSection={<Icon name="try" size={15} />}
            renderRoot={(props) => <Link to="/try" search={{ agent: id }} {...props} />}
          >
            {t.try.title}
          </Button>
          {may('change_permissions') && (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default">{t.actions}</Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item color="red" onClick={() => setRemoving(true)}>
                  {t.agents.remove}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </PageHeader>
      <Loaded query={query}>
        {() => (
          <Tabs
            value={tab}
            onChange={(next) => void navigate({ search: next === null || next === 'access' ? {} : { tab: next } })}
            keepMounted={false}
          >
            <Tabs.List mb="md" ref={showActive}>
              <Tabs.Tab value="access">{t.agents.tabs.access}</Tabs.Tab>
              {may('read_agent_audit') && <Tabs.Tab value="activity">{t.agents.tabs.activity}</Tabs.Tab>}
              <Tabs.Tab value="sessions">{t.agents.tabs.sessions}</Tabs.Tab>
              {may('manage_keys') && <Tabs.Tab value="keys">{t.agents.tabs.keys}</Tabs.Tab>}
              <Tabs.Tab value="history">{t.agents.tabs.history}</Tabs.Tab>
              <Tabs.Tab value="connect">{t.agents.tabs.connect}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="access">
              <Access agent={id} />
            </Tabs.Panel>
            <Tabs.Panel value="activity">
              <Activity agent={id} />
            </Tabs.Panel>
            <Tabs.Panel value="sessions">
              <SessionTable filter={{ agent_id: id }} filtered={false} />
            </Tabs.Panel>
            <Tabs.Panel value="keys">
              <KeyTable agent={id} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <ChangeTable filter={{ agent_id: id }} />
            </Tabs.Panel>
            <Tabs.Panel value="connect">
              <Connect agent={id} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
      {removing && (
        <Confirm
          title={t.agents.removeTitle}
          action={t.agents.remove}
          onClose={() => setRemoving(false)}
          command={(reason) => ({
            cli: ['agents', 'remove', id, ...(reason === '' ? [] : ['--reason', reason])],
            http: { method: 'DELETE', path: `/api/v1/agents/${encodeURIComponent(id)}` },
          })}
          onConfirm={async (reason) => {
            await answer(
              api.DELETE('/api/v1/agents/{agent_id}', {
                params: { path: { agent_id: id }, ...(reason !== '' && { query: { reason } }) },
              }),
            );
            await client.invalidateQueries({ queryKey: ['agents'] });
            await go({ to: '/agents' });
          }}
        >
          {t.agents.removeAbout}
        </Confirm>
      )}
    </>
  );
}

function Activity({ agent }: { agent: string }) {
  const client = useQueryClient();
  const may = useMay();
  const filter = { agent_id: agent };
  const query = useQuery(newestRecords(filter, 50));
  useLive(
    'audit',
    () => void client.invalidateQueries({ queryKey: newestRecords(filter, 50).queryKey }),
    may('read_audit'),
  );
  const go = useNavigate();
  return (
    <Loaded query={query}>
      {({ items, next }) =>
        items.length === 0 ? (
          <Empty icon="activity" title={t.activity.none}>
            {t.agents.noCalls}
          </Empty>
        ) : (
          <>
            <RecordList records={items} />
            {next !== null && (
              <Group mt="md">
                <Button variant="default" onClick={() => void go({ to: '/activity', search: { agent_id: agent } })}>
                  {t.agents.allActivity}
                </Button>
              </Group>
            )}
          </>
        )
      }
    </Loaded>
  );
}
