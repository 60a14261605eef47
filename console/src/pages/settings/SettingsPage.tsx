import { Button, Group, SegmentedControl, Stack, Switch, Table, Tabs, Text, TextInput, Title, useMantineColorScheme } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import { prefer, usePreferences } from '../../app/preferences';
import { useMay, useWho } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { Loaded, Problem } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { Fact } from '../approvals/Preview';
import { KeyTable, Once } from './KeyTable';

const route = getRouteApi('/settings');

export function SettingsPage() {
  const { tab = 'browser' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <>
      <PageHeader title={t.settings.title} />
      <Tabs
        value={tab}
        onChange={(next) => void navigate({ search: next === null || next === 'browser' ? {} : { tab: next } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="browser">{t.settings.browser}</Tabs.Tab>
          {may('manage_keys') && <Tabs.Tab value="keys">{t.keysPage.title}</Tabs.Tab>}
          {may('manage_tenants') && <Tabs.Tab value="tenants">{t.settings.tenants}</Tabs.Tab>}
          <Tabs.Tab value="about">{t.settings.about}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="browser">
          <Browser />
        </Tabs.Panel>
        {may('manage_keys') && (
          <Tabs.Panel value="keys">
            <KeyTable />
          </Tabs.Panel>
        )}
        {may('manage_tenants') && (
          <Tabs.Panel value="tenants">
            <Tenants />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="about">
          <About />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Browser() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { shortcuts, notify } = usePreferences();
  const wantNotifications = async (wanted: boolean) => {
    const granted = wanted && (await Notification.requestPermission()) === 'granted';
    prefer({ notify: granted ? 'on' : 'off' });
  };
  return (
    <Stack maw={560} gap="lg">
      <div>
        <Text fw={500} mb={4}>
          {t.settings.scheme}
        </Text>
        <SegmentedControl
          aria-label={t.settings.scheme}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={(['auto', 'light', 'dark'] as const).map((each) => ({ value: each, label: t.settings.schemes[each] }))}
        />
      </div>
      <Switch
        label={t.settings.shortcuts}
        description={t.settings.shortcutsAbout}
        checked={shortcuts === 'on'}
        onChange={(event) => prefer({ shortcuts: event.currentTarget.checked ? 'on' : 'off' })}
      />
      {'Notification' in window && (
        <Switch
          label={t.settings.notify}
          description={t.settings.notifyAbout}
          checked={notify === 'on'}
          onChange={(event) => void wantNotifications(event.currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

function Tenants() {
  const query = useQuery(queries.tenants);
  const client = useQueryClient();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [key, setKey] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const body = { tenant_id: id.trim(), name: name.trim() };
  return (
    <Stack maw={720}>
      <Text size="sm" c="dimmed">
        {t.settings.tenantsAbout}
      </Text>
      <Loaded query={query}>
        {({ items }) => (
          <ListTable heads={[t.settings.tenant, t.settings.tenantName, { label: t.agents.created, from: 'sm' }]}>
            {items.map((each) => (
              <Table.Tr key={each.tenant_id}>
                <Table.Td>
                  <Untrusted>{each.tenant_id}</Untrusted>
                </Table.Td>
                <Table.Td>
                  <Untrusted>{each.name}</Untrusted>
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <Time at={each.created_at} short />
                </Table.Td>
              </Table.Tr>
            ))}
          </ListTable>
        )}
      </Loaded>
      <Title order={2} size="h4" mt="md">
        {t.settings.newTenant}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setError(null);
          answer(api.POST('/api/v1/tenants', { body }))
            .then((made) => {
              setKey(made.admin_key.key);
              setId('');
              setName('');
              return client.invalidateQueries({ queryKey: ['tenants'] });
            })
            .catch(setError);
        }}
      >
        <Stack>
          <Group grow>
            <TextInput label={t.settings.tenant} value={id} onChange={(event) => setId(event.currentTarget.value)} />
            <TextInput
              label={t.settings.tenantName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </Group>
          {error !== null && <Problem error={error} />}
          <Group>
            <Button type="submit" disabled={body.tenant_id === '' || body.name === ''}>
              {t.settings.newTenant}
            </Button>
            <Command cli={null} http={{ method: 'POST', path: '/api/v1/tenants', body }} />
          </Group>
        </Stack>
      </form>
      {key !== null && <Once secret={key} onClose={() => setKey(null)} />}
    </Stack>
  );
}

function About() {
  const who = useWho();
  const query = useQuery(queries.health);
  return (
    <Stack maw={560}>
      <Fact name={t.settings.loggedInAs}>
        <Untrusted>{who.name}</Untrusted> ({t.shell.roleIn(who.role, who.tenant_id)})
      </Fact>
      {who.expires_at !== undefined && (
        <Fact name={t.settings.loginEnds}>
          <Time at={who.expires_at} />
        </Fact>
      )}
      <Fact name={t.settings.rights}>{who.rights.join(', ')}</Fact>
      <Loaded query={query} lines={1}>
        {(health) => <Fact name={t.settings.version}>{health.version}</Fact>}
      </Loaded>
      <Text size="sm">
        <a href="/docs">{t.login.docs}</a>
      </Text>
    </Stack>
  );
}
