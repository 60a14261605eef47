import { Autocomplete, Button, Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { queries, type SessionFilter } from '../../api/queries';
import { useMay } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { PageHeader } from '../../ui/PageHeader';
import { SessionTable } from './SessionTable';

const route = getRouteApi('/sessions');
const STATES = ['active', 'expired', 'ended'] as const;

/** The policy sessions of the tenant's agents. */
export function SessionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const { data: agents } = useQuery({ ...queries.agents, enabled: may('read_permissions') });
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => input.current?.focus() });
  const [agent] = useDebouncedValue(search.agent ?? '', 300);
  const status = STATES.find((each) => each === search.status);
  const filter: SessionFilter = { ...(agent !== '' && { agent_id: agent }), ...(status !== undefined && { status }) };
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const query = new URLSearchParams({ ...(filter as Record<string, string>), order: 'newest' });
  return (
    <>
      <PageHeader title={t.sessions.title} about={t.sessions.about}>
        <Command cli={null} http={{ method: 'GET', path: `/api/v1/sessions?${query}` }} />
      </PageHeader>
      <search className="filters">
        <Autocomplete
          ref={input}
          label={t.agents.one}
          value={search.agent ?? ''}
          onChange={(value) => change({ agent: value })}
          data={(agents ?? []).map((each) => each.agent_id)}
          limit={20}
        />
        <Select
          label={t.sessions.state}
          value={status ?? ''}
          onChange={(value) => change({ status: value ?? '' })}
          data={[{ value: '', label: t.all }, ...STATES.map((each) => ({ value: each, label: t.sessions.states[each] }))]}
          allowDeselect={false}
        />
      </search>
      {Object.keys(search).length > 0 && (
        <Group mb="sm">
          <Button size="compact-sm" variant="subtle" onClick={() => void navigate({ search: {} })}>
            {t.activity.clearFilters}
          </Button>
        </Group>
      )}
      <SessionTable filter={filter} filtered={filter.agent_id !== undefined || filter.status !== undefined} />
    </>
  );
}
