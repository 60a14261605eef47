import { Anchor, Button, Group, Modal, Stack, Table, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { FilterInput } from '../../ui/FilterInput';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { ReasonInput, withReason } from '../../ui/ReasonInput';
import { Empty, Loaded, Problem } from '../../ui/States';
import { formatNumber, Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

const route = getRouteApi('/groups');
const MAX_SHOWN = 300;

/** All groups of the tenant. */
export function GroupsPage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.groups);
  const [adding, setAdding] = useState(false);
  const wanted = q.toLowerCase();
  return (
    <>
      <PageHeader title={t.groups.title} about={t.groups.about}>
        <Command cli={['groups', 'list']} http={{ method: 'GET', path: '/api/v1/groups' }} />
        {may('change_permissions') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t.groups.add}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(groups) => {
          const found = groups.filter((each) =>
            `${each.group_id} ${each.description ?? ''}`.toLowerCase().includes(wanted),
          );
          return groups.length === 0 ? (
            <Empty icon="groups" title={t.groups.none}>
              {t.groups.noneAbout}
            </Empty>
          ) : (
            <>
              <Group mb="md">
                <FilterInput value={q} onChange={(value) => void navigate({ search: { q: value }, replace: true })} />
              </Group>
              <ListTable
                heads={[
                  t.groups.one,
                  { label: t.groups.description, from: 'sm' },
                  { label: t.groups.members, right: true },
                  { label: t.agents.created, from: 'md' },
                ]}
              >
                {found.slice(0, MAX_SHOWN).map((each) => (
                  <Table.Tr key={each.group_id}>
                    <Table.Td>
                      <Anchor
                        renderRoot={(props) => <Link to="/groups/$id" params={{ id: each.group_id }} {...props} />}
                      >
                        <Untrusted>{each.group_id}</Untrusted>
                      </Anchor>
                      <div className="only-small row-sub">
                        <Untrusted>{each.description ?? ''}</Untrusted>
                      </div>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Untrusted>{each.description ?? ''}</Untrusted>
                    </Table.Td>
                    <Table.Td ta="right">{formatNumber(each.member_count)}</Table.Td>
                    <Table.Td visibleFrom="md">
                      <Time at={each.created_at} short />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              {found.length === 0 && t.nothingMatches}
              {found.length > MAX_SHOWN && t.agents.more(found.length - MAX_SHOWN)}
            </>
          );
        }}
      </Loaded>
      {adding && <NewGroup onClose={() => setAdding(false)} />}
    </>
  );
}

function NewGroup({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const [description, setDescription] = useState('');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const about = description.trim();
  const why = reason.trim();
  const body = { group_id: id.trim(), ...(about !== '' && { description: about }) };
  const create = async () => {
    setBusy(true);
    setError(null);
    try {
      await answer(api.POST('/api/v1/groups', { params: { query: why === '' ? {} : { reason: why } }, body }));
      await client.invalidateQueries({ queryKey: ['groups'] });
      await navigate({ to: '/groups/$id', params: { id: body.group_id } });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.groups.add} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack>
          <TextInput
            label={t.agents.id}
            description={t.groups.idAbout}
            value={id}
            maxLength={100}
            required
            data-autofocus
            onChange={(event) => setId(event.currentTarget.value)}
          />
          <TextInput
            label={t.groups.description}
            value={description}
            maxLength={2000}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <ReasonInput value={reason} onChange={setReason} />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={['groups', 'add', body.group_id, ...(about === '' ? [] : ['--description', about])]}
              http={{
                method: 'POST',
                path: withReason('/api/v1/groups', why),
                body,
              }}
            />
            <Button type="submit" loading={busy} disabled={body.group_id === ''}>
              {t.groups.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
