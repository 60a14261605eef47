import { Alert, Anchor, Badge, Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { notifications } from '../../ui/notify';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import { queries } from '../../api/queries';
import type { McpTool } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Confirm } from '../../ui/confirm';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded, Problem } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import { Fact } from '../approvals/Preview';
import { ConnectionBadge } from './ServersPage';

const route = getRouteApi('/servers/$name');
const ORDER: McpTool['state'][] = ['changed', 'new', 'refused', 'agreed', 'gone'];
const COLOURS = { agreed: 'green', new: 'blue', changed: 'orange', refused: 'red', gone: 'gray' } as const;

/** One MCP server: its connection, its tools, and the definitions that wait for agreement. */
export function ServerPage() {
  const { name } = route.useParams();
  const client = useQueryClient();
  const go = useNavigate();
  const may = useMay();
  const query = useQuery(queries.server(name));
  const [removing, setRemoving] = useState(false);
  const [busy, setBusy] = useState(false);
  const refresh = async () => {
    setBusy(true);
    try {
      await answer(
        api.POST('/api/v1/mcp/servers/{server_name}/refresh', { params: { path: { server_name: name } } }),
      );
    } catch (refused) {
      const error = refused instanceof ApiError ? refused : ApiError.unreachable();
      notifications.show({ color: 'red', title: error.message, message: error.remediation });
    }
    await client.invalidateQueries({ queryKey: ['servers'] });
    setBusy(false);
  };
  return (
    <>
      <PageHeader
        title={name}
        heading={<Untrusted>{name}</Untrusted>}
        about={
          <Anchor size="sm" renderRoot={(props) => <Link to="/servers" {...props} />}>
            {t.servers.back}
          </Anchor>
        }
      >
        <Command
          cli={['servers', 'show', name]}
          http={{ method: 'GET', path: `/api/v1/mcp/servers/${encodeURIComponent(name)}` }}
        />
        {may('manage_servers') && (
          <>
            <Button variant="default" loading={busy} onClick={() => void refresh()}>
              {t.servers.refresh}
            </Button>
            {query.data?.source === 'api' && (
              <Button variant="outline" color="red" onClick={() => setRemoving(true)}>
                {t.servers.remove}
              </Button>
            )}
          </>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(server) => (
          <Stack gap="lg">
            <Paper withBorder p="md">
              <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
                <Fact name={t.servers.state}>
                  <ConnectionBadge server={server} />
                </Fact>
                <Fact name={t.servers.where}>
                  <Untrusted mono>{server.settings.url ?? server.settings.command?.join(' ') ?? ''}</Untrusted>
                </Fact>
                <Fact name={t.servers.callsItself}>
                  <Untrusted>
                    {[server.connection.server_name, server.connection.server_version].filter(Boolean).join(' ') || t.unknown}
                  </Untrusted>
                </Fact>
                <Fact name={t.servers.source}>{t.servers.sources[server.source]}</Fact>
              </SimpleGrid>
              {server.connection.message !== undefined && (
                <Text size="sm" mt="sm">
                  <Untrusted>{server.connection.message}</Untrusted>
                </Text>
              )}
            </Paper>
            {server.tools.length === 0 ? (
              <Empty icon="tools" title={t.servers.noTools}>
                {t.servers.noToolsAbout}
              </Empty>
            ) : (
              [...server.tools]
                .sort((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))
                .map((tool) => <ServerTool key={tool.name} server={name} tool={tool} />)
            )}
          </Stack>
        )}
      </Loaded>
      {removing && (
        <Confirm
          title={t.servers.removeTitle}
          action={t.servers.remove}
          onClose={() => setRemoving(false)}
          command={(reason) => ({
            cli: ['servers', 'remove', name, ...(reason === '' ? [] : ['--reason', reason])],
            http: { method: 'DELETE', path: `/api/v1/mcp/servers/${encodeURIComponent(name)}` },
          })}
          onConfirm={async (reason) => {
            await answer(
              api.DELETE('/api/v1/mcp/servers/{server_name}', {
                params: { path: { server_name: name }, ...(reason !== '' && { query: { reason } }) },
              }),
            );
            await client.invalidateQueries({ queryKey: ['servers'] });
            await go({ to: '/servers' });
          }}
        >
          {t.servers.removeAbout}
        </Confirm>
      )}
    </>
  );
}

function ServerTool({ server, tool }: { server: string; tool: McpTool }) {
  const client = useQueryClient();
  const may = useMay();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const definition = tool.waiting ?? tool.agreed;
  const described = (definition?.definition as { description?: string } | undefined)?.description ?? '';
  const send = async (agreed: boolean) => {
    setBusy(true);
    setError(null);
    try {
      await answer(
        api.POST('/api/v1/mcp/servers/{server_name}/tools/{mcp_tool}', {
          params: { path: { server_name: server, mcp_tool: tool.name } },
          body: { agreed, hash: definition?.hash ?? '' },
        }),
      );
      await client.invalidateQueries({ queryKey: ['servers'] });
      await client.invalidateQueries({ queryKey: ['tools'] });
    } catch (refused) {
      setError(refused);
      await client.invalidateQueries({ queryKey: ['servers'] });
    } finally {
      setBusy(false);
    }
  };
  const path = `/api/v1/mcp/servers/${encodeURIComponent(server)}/tools/${encodeURIComponent(tool.name)}`;
  const looks = tool.state === 'new' || tool.state === 'changed' || tool.state === 'refused';
  return (
    <Paper withBorder p="md" component="section" aria-label={tool.name}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Title order={2} size="h4">
          <Untrusted mono>{tool.name}</Untrusted>
        </Title>
        <Badge
          color={COLOURS[tool.state]}
          variant="light"
          radius="sm"
          className="sign"
          leftSection={<Icon name={tool.state === 'agreed' ? 'check' : tool.state === 'refused' ? 'cross' : 'warning'} size={12} />}
        >
          {t.servers.toolStates[tool.state]}
        </Badge>
      </Group>
      <Text size="sm" mt="xs" className="prewrap" component="div">
        <Untrusted>{described}</Untrusted>
      </Text>
      {tool.findings.length > 0 && (
        <Alert color="orange" variant="light" mt="sm" icon={<Icon name="warning" />} title={t.servers.findings}>
          {tool.findings.map((finding, number) => (
            <div key={number}>
              <Text size="sm">
                {t.servers.findingKinds[finding.kind]} (<Untrusted mono>{finding.where}</Untrusted>)
              </Text>
              <UntrustedBlock text={finding.excerpt} />
            </div>
          ))}
        </Alert>
      )}
      {tool.differences.map((difference) => (
        <div key={difference.where}>
          <Text size="sm" fw={600} mt="sm">
            <Untrusted mono>{difference.where}</Untrusted>
          </Text>
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xs">
            <div>
              <Text size="xs" c="dimmed">
                {t.servers.before}
              </Text>
              <UntrustedBlock text={difference.before ?? t.servers.nothing} />
            </div>
            <div>
              <Text size="xs" c="dimmed">
                {t.servers.after}
              </Text>
              <UntrustedBlock text={difference.after ?? t.servers.nothing} />
            </div>
          </SimpleGrid>
        </div>
      ))}
      {tool.more_differences !== undefined && (
        <Text size="sm" fw={600} mt="sm">
          {t.servers.moreDifferences(tool.more_differences)}
        </Text>
      )}
      {tool.problem !== undefined && <Text size="sm">{tool.problem}</Text>}
      {tool.agreed?.by !== undefined && tool.agreed.at !== undefined && (
        <Text size="xs" c="dimmed" mt="xs" component="div">
          {t.servers.agreedBy} <Untrusted>{tool.agreed.by}</Untrusted> <Time at={tool.agreed.at} />
        </Text>
      )}
      {definition !== null && (
        <details>
          <summary>{t.servers.definition}</summary>
          <UntrustedBlock text={JSON.stringify(definition.definition, null, 2)} label={t.servers.definition} />
        </details>
      )}
      {error !== null && <Problem error={error} />}
      {may('manage_servers') && definition !== null && tool.state !== 'gone' && (
        <Group mt="md" gap="xs">
          {looks && (
            <Button size="xs" loading={busy} onClick={() => void send(true)}>
              {t.servers.agree}
            </Button>
          )}
          {tool.state !== 'refused' && (
            <Button size="xs" color="red" variant="outline" loading={busy} onClick={() => void send(false)}>
              {t.servers.refuse}
            </Button>
          )}
          <Command
            cli={['servers', looks ? 'agree' : 'refuse', server, tool.name, ...(looks ? ['--hash', definition.hash] : [])]}
            http={{ method: 'POST', path, body: { agreed: looks, hash: definition.hash } }}
          />
        </Group>
      )}
    </Paper>
  );
}
