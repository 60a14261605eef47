import { Button, Group, Modal, Select, Table, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, page } from '../../api/client';
import { queries } from '../../api/queries';
import type { Approval } from '../../api/types';
import { t } from '../../strings';
import { ApprovalBadge } from '../../ui/badges';
import { ListTable } from '../../ui/ListTable';
import { Empty, Loaded } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { Preview } from './Preview';

const route = getRouteApi('/approvals');
const STATES: Approval['state'][] = ['pending', 'approved', 'denied', 'timed_out', 'withdrawn'];

/** All requests, newest first. */
export function History() {
  const { state, id } = route.useSearch();
  const navigate = route.useNavigate();
  const wanted = STATES.find((each) => each === state);
  const query = useInfiniteQuery({
    queryKey: ['approvals', 'history', wanted],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      page(
        api.GET('/api/v1/approvals', {
          params: {
            query: { limit: 100, ...(wanted && { state: wanted }), ...(pageParam !== '' && { after: pageParam }) },
          },
        }),
      ),
    getNextPageParam: (last) => last.next,
  });
  return (
    <>
      <Select
        label={t.approvals.state}
        w={220}
        mb="md"
        clearable
        placeholder={t.all}
        value={wanted ?? null}
        onChange={(value) =>
          void navigate({ search: (before) => ({ ...before, state: value ?? '' }), replace: true })
        }
        data={STATES.map((each) => ({ value: each, label: t.approvals.states[each] }))}
      />
      <Loaded query={query}>
        {(data) => {
          const rows = data.pages.flatMap((each) => each.items);
          return rows.length === 0 ? (
            <Empty icon="approvals" title={t.approvals.noHistory}>
              {t.approvals.noneAbout}
            </Empty>
          ) : (
            <>
              <ListTable
                heads={[
                  t.approvals.tool,
                  { label: t.approvals.agent, from: 'sm' },
                  { label: t.approvals.asked, from: 'sm' },
                  t.approvals.state,
                  { label: t.approvals.by, from: 'md' },
                ]}
              >
                {rows.map((each) => (
                  <Table.Tr key={each.approval_id}>
                    <Table.Td>
                      <button
                        type="button"
                        className="link"
                        onClick={() => void navigate({ search: (before) => ({ ...before, id: each.approval_id }) })}
                      >
                        <Untrusted mono>{each.tool_name}</Untrusted>
                      </button>
                      <div className="only-small row-sub">
                        <Untrusted>{each.agent_id}</Untrusted> · <Time at={each.asked_at} short />
                      </div>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Untrusted>{each.agent_id}</Untrusted>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Time at={each.asked_at} short />
                    </Table.Td>
                    <Table.Td>
                      <ApprovalBadge state={each.state} />
                    </Table.Td>
                    <Table.Td visibleFrom="md">
                      <Untrusted>{each.answered_by ?? ''}</Untrusted>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              {query.hasNextPage && (
                <Group mt="md">
                  <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    {t.older}
                  </Button>
                </Group>
              )}
            </>
          );
        }}
      </Loaded>
      {id !== undefined && (
        <One id={id} onClose={() => void navigate({ search: (before) => ({ ...before, id: '' }) })} />
      )}
    </>
  );
}

function One({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(queries.approval(id));
  return (
    <Modal opened onClose={onClose} size="xl" title={<Text fw={600}>{t.approvals.detail}</Text>} closeButtonProps={{ 'aria-label': t.close }}>
      <Loaded query={query}>{(approval) => <Preview approval={approval} />}</Loaded>
    </Modal>
  );
}
