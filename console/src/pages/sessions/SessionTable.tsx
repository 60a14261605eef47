import { Anchor, Button, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLive } from '../../api/live';
import { queries, type SessionFilter } from '../../api/queries';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { SessionBadge } from '../../ui/badges';
import { ListTable } from '../../ui/ListTable';
import { Empty, Loaded } from '../../ui/States';
import { Ago, Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

/** Sessions, newest first, page by page. */
export function SessionTable({ filter, filtered }: { filter: SessionFilter; filtered: boolean }) {
  const may = useMay();
  const client = useQueryClient();
  const query = useInfiniteQuery(queries.sessions(filter));
  // The start and end of a session are recorded, so new records trigger a refetch.
  useLive('audit', () => void client.invalidateQueries({ queryKey: ['sessions', 'pages'] }), may('read_audit'));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const sessions = pages.flatMap((each) => each.items);
        return sessions.length === 0 ? (
          <Empty icon="sessions" title={filtered ? t.sessions.noMatch : t.sessions.none}>
            {filtered ? t.sessions.noMatchAbout : t.sessions.noneAbout}
          </Empty>
        ) : (
          <>
            <ListTable
              heads={[
                t.sessions.one,
                { label: t.agents.one, from: 'sm' },
                t.sessions.state,
                { label: t.sessions.started, from: 'sm' },
                { label: t.sessions.until, from: 'md' },
              ]}
            >
              {sessions.map((each) => (
                <Table.Tr key={each.session_id}>
                  <Table.Td>
                    <Anchor
                      renderRoot={(props) => <Link to="/sessions/$id" params={{ id: each.session_id }} {...props} />}
                    >
                      <Untrusted mono>{each.session_id}</Untrusted>
                    </Anchor>
                    <div className="only-small row-sub">
                      <Untrusted>{each.agent_id ?? ''}</Untrusted> · <Time at={each.created_at} short />
                    </div>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Untrusted>{each.agent_id ?? ''}</Untrusted>
                  </Table.Td>
                  <Table.Td>
                    <SessionBadge status={each.status} />
                  </Table.Td>
                  <Table.Td visibleFrom="sm">
                    <Time at={each.created_at} short />
                    {each.created_by !== undefined && (
                      <Text size="xs" c="dimmed" component="div">
                        <Untrusted>{each.created_by}</Untrusted>
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td visibleFrom="md">
                    <Ago at={each.ended_at ?? each.expires_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
            {query.hasNextPage && (
              <Button mt="md" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t.older}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
