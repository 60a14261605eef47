import { Anchor, Button, Group, Modal, Select, Stack, Table, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { TrustLevel } from '../../api/types';
import { toolUsage } from '../../api/usage';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { FilterInput } from '../../ui/FilterInput';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Ago, formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { rowsBy } from '../usage/sums';

const route = getRouteApi('/agents');
const MAX_SHOWN = 300;
const HOUR_MS = 3600e3;
const DAYS = 30;

/** All agents of the tenant. */
export function AgentsPage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.agents);
  const [adding, setAdding] = useState(false);
  const wanted = q.toLowerCase();
  const access = useAccess();
  const usage = useUsage(may('read_agent_audit'));
  return (
    <>
      <PageHeader title={t.agents.title} about={t.agents.about}>
        <Command cli={['agents', 'list']} http={{ method: 'GET', path: '/api/v1/agents' }} />
        {may('change_permissions') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t.agents.add}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(agents) => {
          const found = agents.filter(
            (each) => each.agent_id.toLowerCase().includes(wanted) || (each.name ?? '').toLowerCase().includes(wanted),
          );
          return agents.length === 0 ? (
            <Empty icon="agents" title={t.agents.none}>
              {t.agents.noneAbout}
            </Empty>
          ) : (
            <>
              <Group mb="md">
                <FilterInput value={q} onChange={(value) => void navigate({ search: { q: value }, replace: true })} />
              </Group>
              <ListTable
                heads={[
                  t.agents.one,
                  { label: t.agents.trust, from: 'md' },
                  { label: t.groups.title, from: 'sm' },
                  { label: t.agents.tools, right: true },
                  { label: t.agents.refused, from: 'sm', right: true },
                  { label: t.agents.lastCall, from: 'sm' },
                ]}
              >
                {found.slice(0, MAX_SHOWN).map((each) => {
                  const { groups = [], tools } = access.get(each.agent_id) ?? {};
                  const used = usage.get(each.agent_id);
                  const last = used?.last == null ? t.agents.noRecentCall : <Ago at={used.last} />;
                  return (
                    <Table.Tr key={each.agent_id}>
                      <Table.Td>
                        <Anchor
                          renderRoot={(props) => <Link to="/agents/$id" params={{ id: each.agent_id }} {...props} />}
                        >
                          <Untrusted>{each.agent_id}</Untrusted>
                        </Anchor>
                        <div className="row-sub">
                          <Untrusted>{each.name ?? ''}</Untrusted>
                        </div>
                        <div className="only-small row-sub">{last}</div>
                      </Table.Td>
                      <Table.Td visibleFrom="md">{t.agents.trustLevels[each.trust_level]}</Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Untrusted>{groups.join(', ')}</Untrusted>
                      </Table.Td>
                      <Table.Td ta="right">{tools === undefined ? '' : formatNumber(tools)}</Table.Td>
                      <Table.Td visibleFrom="sm" ta="right">
                        {formatNumber(used?.refused ?? 0)}
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{last}</Table.Td>
                    </Table.Tr>
                  );
                })}
              </ListTable>
              {found.length === 0 && t.nothingMatches}
              {found.length > MAX_SHOWN && t.agents.more(found.length - MAX_SHOWN)}
            </>
          );
        }}
      </Loaded>
      {adding && <NewAgent onClose={() => setAdding(false)} />}
    </>
  );
}

/** The groups of each agent, and how many tools it may use in some way. */
function useAccess() {
  const { data } = useQuery(queries.matrix);
  return useMemo(() => {
    const usable = new Set(
      Object.entries(data?.legend ?? {})
        .filter(([, { state }]) => !['unset', 'refused', 'expired', 'used_up'].includes(state))
        .map(([letter]) => letter),
    );
    return new Map(
      (data?.agents ?? []).map(({ agent_id: id, groups, cells }) => [
        id,
        {
          groups: groups.map((group) => data?.groups[group] ?? ''),
          tools: [...cells].filter((letter) => usable.has(letter)).length,
        },
      ]),
    );
  }, [data]);
}

/** The refusals and the last call of each agent in the last days. */
function useUsage(enabled: boolean) {
  const since = useMemo(() => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - DAYS * 24 * HOUR_MS).toISOString(), []);
  const { data } = useQuery({ ...toolUsage({ since }), enabled });
  return useMemo(() => new Map(rowsBy(data?.usage ?? [], 'agent').map((row) => [row.agent, row])), [data]);
}

function NewAgent({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data: templates } = useQuery(queries.templates);
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const [trust, setTrust] = useState<TrustLevel>('guided');
  const [template, setTemplate] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const body = {
    agent_id: id.trim(),
    trust_level: trust,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(template !== null && { template }),
  };
  const create = async () => {
    setBusy(true);
    setError(null);
    try {
      await answer(api.POST('/api/v1/agents', { body }));
      await client.invalidateQueries({ queryKey: ['agents'] });
      await navigate({ to: '/agents/$id', params: { id: body.agent_id }, search: { tab: 'connect' } });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.agents.add} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label={t.agents.id}
            description={t.agents.idAbout}
            value={id}
            maxLength={100}
            required
            data-autofocus
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <TextInput label={t.agents.name} value={name} onChange={(event) => setName(event.currentTarget.value)} />
          <Select
            label={t.agents.trust}
            description={t.agents.trustAbout[trust]}
            value={trust}
            allowDeselect={false}
            onChange={(value) => setTrust((value ?? 'guided') as TrustLevel)}
            data={(['supervised', 'guided', 'autonomous'] as const).map((each) => ({
              value: each,
              label: t.agents.trustLevels[each],
            }))}
          />
          <Select
            label={t.agents.template}
            description={templates?.find((each) => each.template_id === template)?.tools.join(', ') ?? t.agents.templateAbout}
            clearable
            value={template}
            onChange={setTemplate}
            data={(templates ?? []).map((each) => ({ value: each.template_id, label: each.name }))}
          />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={[
                'agents',
                'add',
                body.agent_id,
                ...(name.trim() === '' ? [] : ['--name', name.trim()]),
                '--trust',
                trust,
                ...(template === null ? [] : ['--template', template]),
              ]}
              http={{ method: 'POST', path: '/api/v1/agents', body }}
            />
            <Button type="submit" loading={busy} disabled={body.agent_id === ''}>
              {t.agents.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
