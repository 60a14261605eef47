import { Button, Group, Modal, Stack, Table, Text, TextInput } from '@mantine/core';
import { notifications } from '../../ui/notify';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, page } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { PermissionChange } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { ChangeLine } from './ChangeLine';
import { undo, undoOf } from './undo';

const route = getRouteApi('/changes');

/** Who changed which permission, when and why; changes can be undone. */
export function ChangesPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <>
      <PageHeader title={t.changes.title} about={t.changes.about}>
        <Command
          cli={[
            'permissions',
            'changes',
            ...(search.agent_id === undefined ? [] : ['--agent', search.agent_id]),
            ...(search.tool_name === undefined ? [] : ['--tool', search.tool_name]),
            ...(search.group_id === undefined ? [] : ['--group', search.group_id]),
          ]}
          http={{ method: 'GET', path: `/api/v1/permissions/changes?${new URLSearchParams(search)}` }}
        />
      </PageHeader>
      <search className="filters">
        <TextInput
          label={t.approvals.agent}
          value={search.agent_id ?? ''}
          onChange={(event) => change({ agent_id: event.currentTarget.value })}
        />
        <TextInput
          label={t.approvals.tool}
          value={search.tool_name ?? ''}
          onChange={(event) => change({ tool_name: event.currentTarget.value })}
        />
        <TextInput
          label={t.changes.groupField}
          value={search.group_id ?? ''}
          onChange={(event) => change({ group_id: event.currentTarget.value })}
        />
      </search>
      <ChangeTable filter={search} />
    </>
  );
}

export function ChangeTable({ filter }: { filter: { agent_id?: string; tool_name?: string; group_id?: string } }) {
  const may = useMay();
  const [undoing, setUndoing] = useState<PermissionChange | null>(null);
  const query = useInfiniteQuery({
    queryKey: ['permissions', 'changes', 'pages', filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      page(
        api.GET('/api/v1/permissions/changes', {
          params: { query: { ...filter, limit: 100, ...(pageParam !== '' && { after: Number(pageParam) }) } },
        }),
      ),
    getNextPageParam: (last) => last.next,
  });
  return (
    <Loaded query={query}>
      {(data) => {
        const rows = data.pages.flatMap((each) => each.items);
        return rows.length === 0 ? (
          <Empty icon="changes" title={t.changes.none}>
            {t.changes.noneAbout}
          </Empty>
        ) : (
          <>
            <ListTable
              heads={[
                { label: t.changes.when, from: 'sm' },
                t.changes.change,
                { label: t.changes.by, from: 'md' },
                { label: t.reason, from: 'sm' },
                { label: t.actions, onlyRead: true },
              ]}
            >
              {rows.map((each) => (
                <Table.Tr key={each.id}>
                  <Table.Td className="nowrap" visibleFrom="sm">
                    <Time at={each.changed_at} short />
                  </Table.Td>
                  <Table.Td>
                    <ChangeLine change={each} />
                    <Terms change={each} />
                    <div className="only-small row-sub">
                      <Time at={each.changed_at} short /> · <Untrusted>{each.changed_by}</Untrusted>
                      {each.reason !== null && (
                        <div>
                          <Untrusted>{each.reason}</Untrusted>
                        </div>
                      )}
                    </div>
                  </Table.Td>
                  <Table.Td visibleFrom="md">
                    <Untrusted>{each.changed_by}</Untrusted>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Untrusted>{each.reason ?? ''}</Untrusted>
                  </Table.Td>
                  <Table.Td>
                    {may('change_permissions') && !(each.tool_name === '*' && each.group_id === null) && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        leftSection={<Icon name="undo" size={14} />}
                        onClick={() => setUndoing(each)}
                      >
                        {t.changes.undo}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
            {query.hasNextPage && (
              <Button mt="md" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t.older}
              </Button>
            )}
            {undoing !== null && <UndoDialog change={undoing} onClose={() => setUndoing(null)} />}
          </>
        );
      }}
    </Loaded>
  );
}

function Terms({ change }: { change: PermissionChange }) {
  const details = Object.entries(change.details as Record<string, unknown>).filter(([, value]) => value !== false);
  return details.length === 0 ? null : (
    <Text size="xs" c="dimmed" component="div">
      {details.map(([name, value]) => (
        <div key={name}>
          {t.permissions.terms[name as keyof typeof t.permissions.terms] ?? name}
          {value === true ? '' : ': '}
          {value === true ? '' : <Untrusted mono>{String(value)}</Untrusted>}
        </div>
      ))}
    </Text>
  );
}

function UndoDialog({ change, onClose }: { change: PermissionChange; onClose: () => void }) {
  const client = useQueryClient();
  const how = useQuery({ queryKey: ['undo', change.id], queryFn: () => undoOf(change), staleTime: 0, gcTime: 0 });
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  return (
    <Modal opened onClose={onClose} title={t.changes.undoTitle} closeButtonProps={{ 'aria-label': t.close }}>
      <Stack>
        <ChangeLine change={change} />
        <Loaded query={how} lines={2}>
          {(found) =>
            found.kind === 'impossible' ? (
              <Text size="sm">{found.why}</Text>
            ) : (
              <>
                <Text size="sm">{t.changes.undoAbout}</Text>
                {found.loses && <Text size="sm">{t.changes.loses}</Text>}
                {error !== null && <Problem error={error} />}
                <Group justify="space-between">
                  <Command cli={found.cli} http={found.http} />
                  <Button
                    loading={busy}
                    data-autofocus
                    onClick={async () => {
                      setBusy(true);
                      setError(null);
                      try {
                        await undo(change, found);
                        await client.invalidateQueries({ queryKey: ['permissions'] });
                        await client.invalidateQueries({ queryKey: ['groups'] });
                        notifications.show({ message: t.changes.undone });
                        onClose();
                      } catch (refused) {
                        setError(refused instanceof Error ? refused : ApiError.unreachable());
                        setBusy(false);
                      }
                    }}
                  >
                    {t.changes.undo}
                  </Button>
                </Group>
              </>
            )
          }
        </Loaded>
      </Stack>
    </Modal>
  );
}
