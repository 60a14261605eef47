import { Button, Table } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { StandingApproval } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Confirm } from '../../ui/confirm';
import { ListTable } from '../../ui/ListTable';
import { Empty, Loaded } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

/** Approvals for a session or an agent, which can be revoked. */
export function Standing() {
  const query = useQuery(queries.standingApprovals);
  const client = useQueryClient();
  const may = useMay();
  const [revoking, setRevoking] = useState<StandingApproval | null>(null);
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty icon="approvals" title={t.approvals.noStanding}>
            {t.approvals.noStandingAbout}
          </Empty>
        ) : (
          <>
            <ListTable
              minWidth={720}
              heads={[
                t.approvals.tool,
                t.approvals.agent,
                t.approvals.session,
                t.approvals.by,
                t.approvals.until,
                { label: t.actions, onlyRead: true },
              ]}
            >
              {items.map((each) => (
                <Table.Tr key={each.standing_id}>
                  <Table.Td>
                    <Untrusted mono>{each.tool_name}</Untrusted>
                  </Table.Td>
                  <Table.Td>
                    <Untrusted>{each.agent_id}</Untrusted>
                  </Table.Td>
                  <Table.Td>
                    <Untrusted mono>{each.session_id ?? t.all}</Untrusted>
                  </Table.Td>
                  <Table.Td>
                    <Untrusted>{each.granted_by}</Untrusted>
                  </Table.Td>
                  <Table.Td>{each.expires_at === null ? t.never : <Time at={each.expires_at} short />}</Table.Td>
                  <Table.Td>
                    {may('answer_approvals') && (
                      <Button size="compact-sm" variant="default" onClick={() => setRevoking(each)}>
                        {t.approvals.revoke}
                      </Button>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
            {revoking !== null && (
              <Confirm
                title={t.approvals.revokeTitle}
                action={t.approvals.revoke}
                onClose={() => setRevoking(null)}
                command={(reason) => ({
                  cli: ['approvals', 'standing', '--revoke', revoking.standing_id],
                  http: {
                    method: 'DELETE',
                    path: `/api/v1/approvals/standing/${revoking.standing_id}${reason === '' ? '' : `?reason=${encodeURIComponent(reason)}`}`,
                  },
                })}
                onConfirm={async (reason) => {
                  await answer(
                    api.DELETE('/api/v1/approvals/standing/{standing_id}', {
                      params: {
                        path: { standing_id: revoking.standing_id },
                        query: reason === '' ? {} : { reason },
                      },
                    }),
                  );
                  await client.invalidateQueries({ queryKey: ['approvals', 'standing'] });
                }}
              >
                {t.approvals.revokeAbout(revoking.tool_name, revoking.agent_id)}
              </Confirm>
            )}
          </>
        )
      }
    </Loaded>
  );
}
