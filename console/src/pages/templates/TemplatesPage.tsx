import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { queries } from '../../api/queries';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { FilterInput } from '../../ui/FilterInput';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

const route = getRouteApi('/templates');

/** Sets of tools for common roles. */
export function TemplatesPage() {
  const { q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(queries.templates);
  return (
    <>
      <PageHeader title={t.templates.title} about={t.templates.about}>
        <Command cli={['template', 'list']} http={{ method: 'GET', path: '/api/v1/templates' }} />
      </PageHeader>
      <Loaded query={query}>
        {(templates) => {
          const found = templates.filter((each) =>
            [each.template_id, each.name, each.description, ...each.tools].join(' ').toLowerCase().includes(q.toLowerCase()),
          );
          return templates.length === 0 ? (
            <Empty icon="templates" title={t.templates.none}>
              {t.templates.noneAbout}
            </Empty>
          ) : (
            <>
              <Group mb="md">
                <FilterInput
                  value={q}
                  placeholder={t.templates.filter}
                  onChange={(value) => void navigate({ search: { q: value }, replace: true })}
                />
              </Group>
              <div className="cards">
                {found.map((each) => (
                  <div className="card" key={each.template_id}>
                    <Anchor
                      fw={600}
                      renderRoot={(props) => <Link to="/templates/$name" params={{ name: each.template_id }} {...props} />}
                    >
                      <Untrusted>{each.name}</Untrusted>
                    </Anchor>
                    <Text size="sm" component="div">
                      <Untrusted>{each.description}</Untrusted>
                    </Text>
                    <Text size="sm" c="dimmed" component="div" mt="xs" lineClamp={3}>
                      {t.templates.tools(each.tools.length)} <Untrusted mono>{each.tools.join(', ')}</Untrusted>
                    </Text>
                  </div>
                ))}
              </div>
              {found.length === 0 && t.nothingMatches}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
