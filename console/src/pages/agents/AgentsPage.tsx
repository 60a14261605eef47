import { Anchor, Button, Group, Modal, Select, Stack, Table, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { TrustLevel } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { FilterInput } from '../../ui/FilterInput';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

const route = getRouteApi('/agents');
const MAX_SHOWN = 300;

/** All agents of the tenant. */
export function AgentsPage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.agents);
  const [adding, setAdding] = useState(false);
  const wanted = q.toLowerCase();
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
              <Table verticalSpacing="xs" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t.agents.one}</Table.Th>
                    <Table.Th visibleFrom="sm">{t.agents.name}</Table.Th>
                    <Table.Th>{t.agents.trust}</Table.Th>
                    <Table.Th visibleFrom="md">{t.agents.created}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.slice(0, MAX_SHOWN).map((each) => (
                    <Table.Tr key={each.agent_id}>
                      <Table.Td>
                        <Anchor
                          renderRoot={(props) => <Link to="/agents/$id" params={{ id: each.agent_id }} {...props} />}
                        >
                          <Untrusted>{each.agent_id}</Untrusted>
                        </Anchor>
                      </Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Untrusted>{each.name ?? ''}</Untrusted>
                      </Table.Td>
                      <Table.Td>{t.agents.trustLevels[each.trust_level]}</Table.Td>
                      <Table.Td visibleFrom="md">
                        <Time at={each.created_at} short />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
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
