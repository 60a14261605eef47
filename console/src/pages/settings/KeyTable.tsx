import { Badge, Button, Group, Modal, MultiSelect, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { Key, Role } from '../../api/types';
import { t } from '../../strings';
import { Command, Copyable } from '../../ui/Command';
import { Confirm } from '../../ui/confirm';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Ago, Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

const ROLES: Role[] = ['admin', 'operator', 'auditor', 'orchestrator', 'agent', 'user'];

/** The keys of the tenant or of one agent. A new key is shown once. */
export function KeyTable({ agent }: { agent?: string }) {
  const query = useQuery(queries.keys);
  const client = useQueryClient();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [rotating, setRotating] = useState<Key | null>(null);
  return (
    <>
      <Group justify="flex-end" mb="md">
        <Command cli={['key', 'list']} http={{ method: 'GET', path: '/api/v1/keys' }} />
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setMaking(true)}>
          {t.keysPage.make}
        </Button>
      </Group>
      <Loaded query={query}>
        {(all) => {
          const keys = agent === undefined ? all : all.filter((each) => each.agent_id === agent);
          return keys.length === 0 ? (
            <Empty icon="key" title={t.keysPage.none}>
              {t.keysPage.noneAbout}
            </Empty>
          ) : (
            <ListTable
              heads={[
                t.keysPage.name,
                { label: t.keysPage.role, from: 'sm' },
                t.keysPage.state,
                { label: t.keysPage.lastUsed, from: 'md' },
                { label: t.keysPage.expires, from: 'md' },
                { label: t.actions, onlyRead: true },
              ]}
            >
              {keys.map((each) => (
                <Table.Tr key={each.key_id}>
                  <Table.Td>
                    <Untrusted>{each.name}</Untrusted>
                    <Text size="xs" c="dimmed" className="mono">
                      {each.prefix}…
                    </Text>
                    <div className="only-small row-sub">
                      {each.role} <Untrusted>{each.agent_id ?? ''}</Untrusted>
                    </div>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    {each.role}
                    {each.agent_id !== null && (
                      <Text size="xs" c="dimmed" component="div">
                        <Untrusted>{each.agent_id}</Untrusted>
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Badge
                      variant="light"
                      radius="sm"
                      className="sign"
                      color={each.state === 'usable' ? 'green' : 'gray'}
                    >
                      {t.keysPage.states[each.state]}
                    </Badge>
                  </Table.Td>
                  <Table.Td visibleFrom="md">{each.last_used_at === null ? t.never : <Ago at={each.last_used_at} />}</Table.Td>
                  <Table.Td visibleFrom="md">{each.expires_at === null ? t.never : <Time at={each.expires_at} short />}</Table.Td>
                  <Table.Td>
                    {each.state === 'usable' && (
                      <Group gap={4} justify="flex-end">
                        <Button size="compact-sm" variant="subtle" onClick={() => setRotating(each)}>
                          {t.keysPage.rotate}
                        </Button>
                        <Button size="compact-sm" variant="subtle" color="red" onClick={() => setRevoking(each)}>
                          {t.keysPage.revoke}
                        </Button>
                      </Group>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
          );
        }}
      </Loaded>
      {making && (
        <NewKey
          {...(agent !== undefined && { agent })}
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
            void client.invalidateQueries({ queryKey: ['keys'] });
          }}
        />
      )}
      {made !== null && <Once secret={made} onClose={() => setMade(null)} />}
      {revoking !== null && (
        <Confirm
          title={t.keysPage.revokeTitle}
          action={t.keysPage.revoke}
          onClose={() => setRevoking(null)}
          command={() => ({
            cli: ['key', 'revoke', revoking.key_id],
            http: { method: 'DELETE', path: `/api/v1/keys/${revoking.key_id}` },
          })}
          onConfirm={async () => {
            await answer(api.DELETE('/api/v1/keys/{key_id}', { params: { path: { key_id: revoking.key_id } } }));
            await client.invalidateQueries({ queryKey: ['keys'] });
          }}
        >
          {t.keysPage.revokeAbout(revoking.name === '' ? revoking.prefix : revoking.name)}
        </Confirm>
      )}
      {rotating !== null && (
        <Confirm
          title={t.keysPage.rotateTitle}
          action={t.keysPage.rotate}
          onClose={() => setRotating(null)}
          command={() => ({
            cli: ['key', 'rotate', rotating.key_id],
            http: { method: 'POST', path: `/api/v1/keys/${rotating.key_id}/rotate`, body: {} },
          })}
          onConfirm={async () => {
            const fresh = await answer(
              api.POST('/api/v1/keys/{key_id}/rotate', { params: { path: { key_id: rotating.key_id } }, body: {} }),
            );
            setMade(fresh.key);
            await client.invalidateQueries({ queryKey: ['keys'] });
          }}
        >
          {t.keysPage.rotateAbout}
        </Confirm>
      )}
    </>
  );
}

/** Shows a secret once; it is discarded when the dialog closes. */
export function Once({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      closeOnClickOutside={false}
      title={t.keysPage.once}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Stack>
        <Text size="sm">{t.keysPage.onceAbout}</Text>
        <Copyable text={secret} label={t.keysPage.key} />
        <Button onClick={onClose} data-autofocus>
          {t.keysPage.stored}
        </Button>
      </Stack>
    </Modal>
  );
}

function NewKey({
  agent,
  onClose,
  onMade,
}: {
  agent?: string;
  onClose: () => void;
  onMade: (key: string) => void;
}) {
  const { data: agents } = useQuery(queries.agents);
  const [role, setRole] = useState<Role>(agent === undefined ? 'operator' : 'agent');
  const [of, setOf] = useState<string | null>(agent ?? null);
  const [chatAs, setChatAs] = useState<string[]>([]);
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState('90d');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const ids = (agents ?? []).map((each) => each.agent_id);
  const body = {
    role,
    expires_in: lifetime,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(role === 'agent' && of !== null && { agent_id: of }),
    ...(role === 'user' && { agents: chatAs }),
  };
  const complete = (role !== 'agent' || of !== null) && (role !== 'user' || chatAs.length > 0);
  const make = async () => {
    setBusy(true);
    setError(null);
    try {
      onMade((await answer(api.POST('/api/v1/keys', { body }))).key);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.keysPage.make} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Stack>
          <Select
            label={t.keysPage.role}
            description={t.keysPage.roles[role]}
            value={role}
            disabled={agent !== undefined}
            allowDeselect={false}
            data-autofocus
            onChange={(value) => setRole((value ?? 'operator') as Role)}
            data={ROLES}
          />
          {role === 'agent' && (
            <Select
              label={t.approvals.agent}
              searchable
              value={of}
              disabled={agent !== undefined}
              onChange={setOf}
              data={agent === undefined ? ids : [agent]}
              limit={50}
            />
          )}
          {role === 'user' && (
            <MultiSelect label={t.keysPage.chatAs} searchable value={chatAs} onChange={setChatAs} data={ids} limit={50} />
          )}
          <TextInput
            label={t.keysPage.name}
            description={t.keysPage.nameAbout}
            value={name}
            maxLength={200}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            label={t.keysPage.lifetime}
            value={lifetime}
            allowDeselect={false}
            onChange={(value) => setLifetime(value ?? '90d')}
            data={t.keysPage.lifetimes}
          />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={[
                'key',
                'create',
                '--role',
                role,
                ...(role === 'agent' && of !== null ? ['--agent', of] : []),
                ...(role === 'user' ? chatAs.flatMap((each) => ['--agent', each]) : []),
                ...(name.trim() === '' ? [] : ['--name', name.trim()]),
                '--for',
                lifetime,
              ]}
              http={{ method: 'POST', path: '/api/v1/keys', body }}
            />
            <Button type="submit" loading={busy} disabled={!complete}>
              {t.keysPage.make}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
