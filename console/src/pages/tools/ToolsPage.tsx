import { Anchor, Group, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { queries } from '../../api/queries';
import type { Tool } from '../../api/types';
import { t } from '../../strings';
import { DangerBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

const route = getRouteApi('/tools');

/** All tools, by category. */
export function ToolsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(queries.tools);
  const change = (part: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  return (
    <>
      <PageHeader title={t.tools.title} about={t.tools.about}>
        <Command cli={['tools']} http={{ method: 'GET', path: '/api/v1/tools' }} />
      </PageHeader>
      <Loaded query={query}>
        {(tools) => (
          <>
            <search className="filters">
              <TextInput
                label={t.filter}
                leftSection={<Icon name="search" size={15} />}
                value={search.q ?? ''}
                onChange={(event) => change({ q: event.currentTarget.value })}
              />
              <Select
                label={t.tools.category}
                clearable
                placeholder={t.all}
                value={search.category ?? null}
                onChange={(value) => change({ category: value ?? '' })}
                data={[...new Set(tools.map((each) => each.category))].map((each) => ({
                  value: each,
                  label: t.tools.categories[each],
                }))}
              />
              <Select
                label={t.tools.danger}
                clearable
                placeholder={t.all}
                value={search.danger ?? null}
                onChange={(value) => change({ danger: value ?? '' })}
                data={[
                  { value: 'safe', label: t.tools.safe },
                  { value: 'dangerous', label: t.tools.dangerous },
                ]}
              />
            </search>
            <Categories tools={tools.filter((each) => isWanted(each, search))} />
          </>
        )}
      </Loaded>
    </>
  );
}

function isWanted(tool: Tool, search: { q?: string; category?: string; danger?: string }): boolean {
  const text = (search.q ?? '').toLowerCase();
  return (
    (search.category === undefined || search.category === tool.category) &&
    (search.danger === undefined || search.danger === tool.danger) &&
    [tool.name, ...tool.aliases, tool.description].some((each) => each.toLowerCase().includes(text))
  );
}

function Categories({ tools }: { tools: Tool[] }) {
  const byCategory = Map.groupBy(tools, (each) => each.category);
  if (tools.length === 0) {
    return (
      <Empty icon="tools" title={t.tools.none}>
        {t.tools.noneAbout}
      </Empty>
    );
  }
  return (
    <Stack gap="lg">
      {[...byCategory].map(([category, members]) => (
        <section key={category}>
          <Title order={2} size="h4" mb="xs">
            {t.tools.categories[category]}
          </Title>
          <div className="cards">
            {members.map((tool) => (
              <div className="card" key={tool.name}>
                <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
                  <Anchor
                    fw={600}
                    renderRoot={(props) => <Link to="/tools/$name" params={{ name: tool.name }} {...props} />}
                  >
                    <Untrusted mono>{tool.name}</Untrusted>
                  </Anchor>
                  <DangerBadge danger={tool.danger} />
                </Group>
                <Text size="sm" c="dimmed" lineClamp={3} component="div">
                  <Untrusted>{tool.description}</Untrusted>
                </Text>
              </div>
            ))}
          </div>
        </section>
      ))}
    </Stack>
  );
}
