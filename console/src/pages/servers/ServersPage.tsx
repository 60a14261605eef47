import { Anchor, Badge, Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { McpServer } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

const COLOURS = { connected: 'green', not_started: 'gray', disabled: 'gray', unavailable: 'red' } as const;

export function ConnectionBadge({ server }: { server: Pick<McpServer, 'connection'> }) {
  const { state } = server.connection;
  return (
    <Badge
      color={COLOURS[state]}
      variant="light"
      radius="sm"
      className="sign"
      leftSection={<Icon name={state === 'connected' ? 'check' : state === 'unavailable' ? 'warning' : 'clock'} size={12} />}
    >
      {t.servers.states[state]}
    </Badge>
  );
}

/** The MCP servers behind the gate, those with definitions to review first. */
export function ServersPage() {
  const query = useQuery(queries.servers);
  const may = useMay();
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHeader title={t.servers.title} about={t.servers.about}>
        <Command cli={['servers', 'list']} http={{ method: 'GET', path: '/api/v1/mcp/servers' }} />
        {may('manage_servers') && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding(true)}>
            {t.servers.add}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="servers" title={t.servers.none}>
              {t.servers.noneAbout}
            </Empty>
          ) : (
            <div className="cards">
              {[...items]
                .sort((one, other) => waiting(other) - waiting(one) || one.name.localeCompare(other.name))
                .map((server) => (
                  <div className="card" key={server.name}>
                    <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
                      <Anchor
                        fw={600}
                        renderRoot={(props) => <Link to="/servers/$name" params={{ name: server.name }} {...props} />}
                      >
                        <Untrusted>{server.name}</Untrusted>
                      </Anchor>
                      <ConnectionBadge server={server} />
                    </Group>
                    <Text size="sm" c="dimmed" component="div" lineClamp={2}>
                      <Untrusted mono>{server.settings.url ?? server.settings.command?.join(' ') ?? ''}</Untrusted>
                    </Text>
                    <Text size="sm" mt="xs">
                      {t.servers.agreedTools(server.tool_counts.agreed)}
                    </Text>
                    {waiting(server) > 0 && (
                      <Text size="sm" fw={600} className="attention">
                        <Icon name="warning" size={14} /> {t.servers.waiting(waiting(server))}
                      </Text>
                    )}
                  </div>
                ))}
            </div>
          )
        }
      </Loaded>
      {adding && <NewServer onClose={() => setAdding(false)} />}
    </>
  );
}

function waiting(server: Pick<McpServer, 'tool_counts'>): number {
  return server.tool_counts.new + server.tool_counts.changed;
}

function NewServer({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'url' | 'command'>('url');
  const [where, setWhere] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const words = where.split('\n').map((each) => each.trim()).filter((each) => each !== '');
  // Tools are not agreed to automatically; the user reviews them first.
  const body = {
    name: name.trim(),
    agree: false,
    ...(kind === 'url' ? { url: where.trim() } : { command: words }),
  };
  const add = async () => {
    setBusy(true);
    setError(null);
    try {
      await answer(api.POST('/api/v1/mcp/servers', { body: body as never }));
      await client.invalidateQueries({ queryKey: ['servers'] });
      await navigate({ to: '/servers/$name', params: { name: body.name } });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t.servers.add} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Stack>
          <TextInput
            label={t.servers.name}
            description={t.servers.nameAbout}
            value={name}
            maxLength={32}
            required
            data-autofocus
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <SegmentedControl
            aria-label={t.servers.kind}
            value={kind}
            onChange={(value) => setKind(value as 'url' | 'command')}
            data={[
              { value: 'url', label: t.servers.byUrl },
              { value: 'command', label: t.servers.byCommand },
            ]}
          />
          {kind === 'url' ? (
            <TextInput
              label={t.servers.url}
              value={where}
              placeholder="https://mcp.example.com/mcp"
              onChange={(event) => setWhere(event.currentTarget.value)}
            />
          ) : (
            <Textarea
              label={t.servers.command}
              description={t.servers.commandAbout}
              value={where}
              autosize
              minRows={2}
              classNames={{ input: 'mono' }}
              onChange={(event) => setWhere(event.currentTarget.value)}
            />
          )}
          <Text size="sm" c="dimmed">
            {t.servers.addAbout}
          </Text>
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={['servers', 'add', body.name, '--no-agree', ...(kind === 'url' ? [where.trim()] : ['--', ...words])]}
              http={{ method: 'POST', path: '/api/v1/mcp/servers', body }}
            />
            <Button type="submit" loading={busy} disabled={name.trim() === '' || words.length === 0}>
              {t.servers.add}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
