import { Anchor, Button, Code, Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { newestRecords } from '../../api/audit';
import { queries } from '../../api/queries';
import type { Tool } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { DangerBadge } from '../../ui/badges';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import { RecordList } from '../activity/RecordList';
import { ChangeTable } from '../changes/ChangesPage';
import { Fact } from '../approvals/Preview';

const route = getRouteApi('/tools/$name');

/** One tool: its parameters, its danger, where it runs, and its last calls. */
export function ToolPage() {
  const { name } = route.useParams();
  const may = useMay();
  const query = useQuery(queries.tools);
  const tries = may('read_permissions') || may('call_for_any_agent') || may('call_as_itself');
  return (
    <>
      <PageHeader
        title={name}
        heading={<Untrusted mono>{name}</Untrusted>}
        about={
          <Anchor size="sm" renderRoot={(props) => <Link to="/tools" {...props} />}>
            {t.tools.back}
          </Anchor>
        }
      >
        {tries && (
          <Button
            variant="default"
            leftSection={<Icon name="try" size={15} />}
            renderRoot={(props) => <Link to="/try" search={{ tool: name }} {...props} />}
          >
            {t.try.title}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(tools) => {
          const tool = tools.find((each) => each.name === name || each.aliases.includes(name));
          return tool === undefined ? (
            <Empty icon="tools" title={t.tools.gone}>
              {t.tools.goneAbout}
            </Empty>
          ) : (
            <Details tool={tool} />
          );
        }}
      </Loaded>
    </>
  );
}

function Details({ tool }: { tool: Tool }) {
  const may = useMay();
  const server = tool.category === 'mcp' && tool.name.includes('/') ? tool.name.split('/')[0] : undefined;
  return (
    <Stack gap="lg">
      <Paper withBorder p="md">
        <Text component="div" className="prewrap">
          <Untrusted>{tool.description}</Untrusted>
        </Text>
        <Group mt="md" gap="xl">
          <Fact name={t.tools.danger}>
            <DangerBadge danger={tool.danger} />
          </Fact>
          <Fact name={t.tools.capability}>
            <Code>{tool.capability}</Code>
          </Fact>
          <Fact name={t.tools.origin}>
            {server === undefined ? (
              t.tools.origins[tool.category === 'remote' || tool.category === 'external' ? 'remote' : 'builtIn']
            ) : (
              <>
                {t.tools.origins.mcp}{' '}
                <Anchor size="sm" renderRoot={(props) => <Link to="/servers/$name" params={{ name: server }} {...props} />}>
                  <Untrusted>{server}</Untrusted>
                </Anchor>
              </>
            )}
          </Fact>
          {tool.aliases.length > 0 && (
            <Fact name={t.tools.aliases}>
              <Untrusted mono>{tool.aliases.join(', ')}</Untrusted>
            </Fact>
          )}
        </Group>
      </Paper>
      <section>
        <Title order={2} size="h4" mb="xs">
          {t.tools.parameters}
        </Title>
        <Parameters schema={tool.input_schema as Schema} />
        <details>
          <summary>{t.tools.schema}</summary>
          <UntrustedBlock text={JSON.stringify(tool.input_schema, null, 2)} label={t.tools.schema} />
        </details>
      </section>
      {may('read_agent_audit') && <Usage tool={tool.name} />}
      {may('read_permissions') && (
        <section>
          <Title order={2} size="h4" mb="xs">
            {t.tools.changes}
          </Title>
          <ChangeTable filter={{ tool_name: tool.name }} />
        </section>
      )}
    </Stack>
  );
}

interface Schema {
  properties?: Record<string, { type?: string | string[]; description?: string; enum?: unknown[] }>;
  required?: string[];
}

function Parameters({ schema }: { schema: Schema }) {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) {
    return <Text c="dimmed">{t.arguments.none}</Text>;
  }
  return (
    <ListTable heads={[t.tools.parameter, { label: t.tools.type, from: 'sm' }, t.tools.meaning]}>
      {names.map((name) => {
        const each = schema.properties?.[name] ?? {};
        const type = (
          <Untrusted mono>{each.enum === undefined ? [each.type].flat().join(' | ') : each.enum.join(' | ')}</Untrusted>
        );
        return (
          <Table.Tr key={name}>
            <Table.Td miw={110}>
              <Untrusted mono>{name}</Untrusted>
              <div className="only-small row-sub">{type}</div>
              {schema.required?.includes(name) && (
                <Text size="xs" c="dimmed">
                  {t.tools.required}
                </Text>
              )}
            </Table.Td>
            <Table.Td miw={110} visibleFrom="sm">
              {type}
            </Table.Td>
            <Table.Td>
              <Untrusted>{each.description ?? ''}</Untrusted>
            </Table.Td>
          </Table.Tr>
        );
      })}
    </ListTable>
  );
}

function Usage({ tool }: { tool: string }) {
  const query = useQuery(newestRecords({ tool_name: tool }, 10));
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t.tools.usage}
        </Title>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/activity" search={{ tool_name: tool }} {...props} />}
        >
          {t.agents.allActivity}
        </Button>
      </Group>
      <Loaded query={query} lines={3}>
        {({ items }) =>
          items.length === 0 ? <Text c="dimmed">{t.tools.unused}</Text> : <RecordList records={items} />
        }
      </Loaded>
    </section>
  );
}
