import { Anchor, Paper, SegmentedControl, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { queries } from '../../api/queries';
import type { Template } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { DangerBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { ListTable } from '../../ui/ListTable';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { TemplatePreview } from './TemplatePreview';

const route = getRouteApi('/templates/$name');

/** One template: its tools, and a preview of applying it. */
export function TemplatePage() {
  const { name } = route.useParams();
  const may = useMay();
  const query = useQuery(queries.templates);
  const template = query.data?.find((each) => each.template_id === name);
  return (
    <>
      <PageHeader
        title={template?.name ?? name}
        heading={<Untrusted>{template?.name ?? name}</Untrusted>}
        about={
          <>
            <Untrusted>{template?.description ?? ''}</Untrusted>
            <div>
              <Anchor size="sm" renderRoot={(props) => <Link to="/templates" {...props} />}>
                {t.templates.back}
              </Anchor>
            </div>
          </>
        }
      >
        <Command cli={['template', 'list']} http={{ method: 'GET', path: '/api/v1/templates' }} />
      </PageHeader>
      <Loaded query={query}>
        {() =>
          template === undefined ? (
            <Empty icon="templates" title={t.templates.gone}>
              {t.templates.goneAbout}
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, md: may('change_permissions') ? 2 : 1 }} spacing="xl">
              <section aria-labelledby="template-tools">
                <Title order={2} size="h4" mb="xs" id="template-tools">
                  {t.tools.title}
                </Title>
                <Tools template={template} />
              </section>
              {may('change_permissions') && (
                <section aria-labelledby="template-apply">
                  <Title order={2} size="h4" mb="xs" id="template-apply">
                    {t.templates.apply}
                  </Title>
                  <ApplyTo template={template} />
                </section>
              )}
            </SimpleGrid>
          )
        }
      </Loaded>
    </>
  );
}

function Tools({ template }: { template: Template }) {
  const { data: tools } = useQuery(queries.tools);
  return (
    <ListTable heads={[t.approvals.tool, t.tools.danger]}>
      {template.tools.map((name) => {
        const tool = tools?.find((each) => each.name === name);
        return (
          <Table.Tr key={name}>
            <Table.Td>
              <Anchor renderRoot={(props) => <Link to="/tools/$name" params={{ name }} {...props} />}>
                <Untrusted mono>{name}</Untrusted>
              </Anchor>
              <Text size="xs" c="dimmed" component="div" lineClamp={2}>
                <Untrusted>{tool?.description ?? ''}</Untrusted>
              </Text>
            </Table.Td>
            <Table.Td>{tool !== undefined && <DangerBadge danger={tool.danger} />}</Table.Td>
          </Table.Tr>
        );
      })}
    </ListTable>
  );
}

/** The chosen agent or group is in the URL, so that a link shows the same preview. */
function ApplyTo({ template }: { template: Template }) {
  const { agent, group, to = group === undefined ? 'agent' : 'group' } = route.useSearch();
  const navigate = route.useNavigate();
  const agents = useQuery(queries.agents);
  const groups = useQuery(queries.groups);
  const isAgent = to !== 'group';
  const chosen = isAgent ? agent : group;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t.agents.applyAbout}
        </Text>
        <SegmentedControl
          aria-label={t.templates.to}
          value={isAgent ? 'agent' : 'group'}
          onChange={(value) => void navigate({ search: { to: value }, replace: true })}
          data={[
            { value: 'agent', label: t.templates.toAgent },
            { value: 'group', label: t.templates.toGroup },
          ]}
        />
        <Select
          label={isAgent ? t.agents.one : t.groups.one}
          placeholder={t.templates.choose}
          searchable
          limit={30}
          nothingFoundMessage={t.shell.nothingFound}
          value={chosen ?? null}
          onChange={(value) =>
            void navigate({ search: value === null ? { to } : isAgent ? { agent: value } : { group: value }, replace: true })
          }
          data={
            isAgent
              ? (agents.data ?? []).map((each) => each.agent_id)
              : (groups.data ?? []).map((each) => each.group_id)
          }
        />
        {chosen !== undefined && (
          <TemplatePreview
            key={`${to} ${chosen}`}
            template={template}
            holder={isAgent ? { agent_id: chosen } : { group_id: chosen }}
          />
        )}
      </Stack>
    </Paper>
  );
}
