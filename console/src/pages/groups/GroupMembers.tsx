import { Anchor, Button, Group, Modal, MultiSelect, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries';
import type { GroupDetails } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Confirm } from '../../ui/confirm';
import { FilterInput } from '../../ui/FilterInput';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { ReasonInput } from '../../ui/ReasonInput';
import { Empty, Loaded, Problem } from '../../ui/States';
import { notifyUndoable } from '../../ui/undoable';
import { Untrusted } from '../../ui/Untrusted';
import { memberRequest, setMembers } from './members';

const route = getRouteApi('/groups/$id');
const MAX_SHOWN = 300;

/** The members of a group, with adding and removing. */
export function GroupMembers({ group }: { group: GroupDetails }) {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const { data: agents } = useQuery(queries.agents);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const mayChange = may('change_permissions');
  const names = new Map((agents ?? []).map((each) => [each.agent_id, each.name]));
  const found = group.members.filter((each) =>
    `${each} ${names.get(each) ?? ''}`.toLowerCase().includes(q.toLowerCase()),
  );
  return (
    <>
      <Group mb="md" justify="space-between">
        <FilterInput
          value={q}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, q: value }), replace: true })}
        />
        <Group gap="xs">
          <Command
            cli={['groups', 'members', group.group_id]}
            http={{ method: 'GET', path: `/api/v1/groups/${encodeURIComponent(group.group_id)}` }}
          />
          {mayChange && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
              {t.groups.addMembers}
            </Button>
          )}
        </Group>
      </Group>
      {group.members.length === 0 ? (
        <Empty icon="agents" title={t.groups.noMembers}>
          {t.groups.noMembersAbout}
        </Empty>
      ) : (
        <ListTable
          heads={[
            t.agents.one,
            { label: t.agents.name, from: 'sm' },
            ...(mayChange ? [{ label: t.actions, onlyRead: true }] : []),
          ]}
        >
          {found.slice(0, MAX_SHOWN).map((each) => (
            <Table.Tr key={each}>
              <Table.Td>
                <Anchor renderRoot={(props) => <Link to="/agents/$id" params={{ id: each }} {...props} />}>
                  <Untrusted>{each}</Untrusted>
                </Anchor>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Untrusted>{names.get(each) ?? ''}</Untrusted>
              </Table.Td>
              {mayChange && (
                <Table.Td ta="right">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={t.groups.removeMember(each)}
                    onClick={() => setRemoving(each)}
                  >
                    {t.groups.leave}
                  </Button>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </ListTable>
      )}
      {group.members.length > 0 && found.length === 0 && t.nothingMatches}
      {found.length > MAX_SHOWN && t.agents.more(found.length - MAX_SHOWN)}
      {adding && <AddMembers group={group} onClose={() => setAdding(false)} />}
      {removing !== null && <RemoveMember group={group} agent={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function AddMembers({ group, onClose }: { group: GroupDetails; onClose: () => void }) {
  const client = useQueryClient();
  const { data: agents } = useQuery(queries.agents);
  const [chosen, setChosen] = useState<string[]>([]);
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const id = group.group_id;
  const why = reason.trim();
  const granted = Object.keys(group.permissions).filter((tool) => group.permissions[tool]?.allowed === true);
  const refused = Object.keys(group.permissions).filter((tool) => group.permissions[tool]?.allowed === false);
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      await setMembers(client, 'PUT', id, chosen, why);
      notifyUndoable(t.groups.added(chosen.length), () => setMembers(client, 'DELETE', id, chosen, t.undo.reason));
      onClose();
    } catch (failed) {
      setError(failed);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t.groups.addMembers} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Stack>
          <MultiSelect
            label={t.agents.title}
            value={chosen}
            onChange={setChosen}
            searchable
            limit={30}
            maxValues={100}
            nothingFoundMessage={t.shell.nothingFound}
            data={(agents ?? []).map((each) => each.agent_id).filter((each) => !group.members.includes(each))}
            data-autofocus
          />
          <ReasonInput value={reason} onChange={setReason} />
          <ToolNames about={t.groups.gains} tools={granted} />
          <ToolNames about={t.groups.refusesThem} tools={refused} />
          {granted.length + refused.length === 0 && (
            <Text size="sm" c="dimmed">
              {t.groups.gainsNothing}
            </Text>
          )}
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={[
                'groups',
                'members',
                id,
                ...(chosen.length === 0 ? ['--add', 'AGENT'] : chosen.flatMap((each) => ['--add', each])),
                ...(why === '' ? [] : ['--reason', why]),
              ]}
              http={(chosen.length === 0 ? ['AGENT'] : chosen).map((each) => memberRequest('PUT', id, each, why))}
            />
            <Button type="submit" loading={busy} disabled={chosen.length === 0}>
              {t.groups.addMembers}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function ToolNames({ about, tools }: { about: string; tools: string[] }) {
  return tools.length === 0 ? null : (
    <Text size="sm" component="div">
      {about} <Untrusted mono>{tools.join(', ')}</Untrusted>
    </Text>
  );
}

function RemoveMember({ group, agent, onClose }: { group: GroupDetails; agent: string; onClose: () => void }) {
  const client = useQueryClient();
  const id = group.group_id;
  return (
    <Confirm
      title={t.groups.leaveTitle}
      action={t.groups.leave}
      onClose={onClose}
      command={(reason) => ({
        cli: ['groups', 'members', id, '--remove', agent, ...(reason === '' ? [] : ['--reason', reason])],
        http: memberRequest('DELETE', id, agent, reason),
      })}
      onConfirm={async (reason) => {
        await setMembers(client, 'DELETE', id, [agent], reason);
        notifyUndoable(t.groups.left(agent), () => setMembers(client, 'PUT', id, [agent], t.undo.reason));
      }}
    >
      <Untrusted>{agent}</Untrusted>
      <Losses group={id} agent={agent} />
    </Confirm>
  );
}

/** The tools that an agent has only because it is in a group. */
function Losses({ group, agent }: { group: string; agent: string }) {
  const query = useQuery(queries.permissions(agent));
  return (
    <Loaded query={query} lines={1}>
      {({ permissions }) => {
        const lost = permissions.filter(
          (each) =>
            each.state === 'allowed' &&
            each.sources.every((source) => (source as { group_id?: string }).group_id === group),
        );
        return lost.length === 0 ? (
          <div>{t.groups.losesNothing}</div>
        ) : (
          <ToolNames about={t.groups.loses} tools={lost.map((each) => each.tool_name)} />
        );
      }}
    </Loaded>
  );
}
