import { Anchor, Button, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../strings';
import { Ago, formatCost, formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { SORTS, type By, type Row, type Sort } from './sums';

const STEP = 100;

/** Usage by name, with bars that compare the calls; names link to the calls. */
export function UsageTable({
  rows,
  by,
  sort,
  onSort,
  since,
}: {
  rows: Row[];
  by: By;
  sort: Sort;
  onSort: (sort: Sort) => void;
  since: string;
}) {
  const [shown, setShown] = useState(STEP);
  const maxCalls = Math.max(...rows.map((row) => row.calls));
  return (
    <>
      <Table.ScrollContainer minWidth={by === 'pair' ? 760 : 620} type="native" scrollAreaProps={{ tabIndex: 0 }}>
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {by !== 'tool' && <Table.Th>{t.activity.agent}</Table.Th>}
              {by !== 'agent' && <Table.Th>{t.activity.tool}</Table.Th>}
              {SORTS.map((each) => (
                <Table.Th key={each} ta={each === 'last' ? 'left' : 'right'} aria-sort={each === sort ? 'descending' : 'none'}>
                  <button type="button" className="sort" onClick={() => onSort(each)}>
                    {t.usage.columns[each]}
                    <span aria-hidden="true">{each === sort ? ' ▾' : ''}</span>
                  </button>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, shown).map((row) => (
              <Table.Tr key={JSON.stringify([row.agent, row.tool])}>
                {row.agent !== null && (
                  <Table.Td>
                    <Calls row={row} since={since} name={row.agent} />
                  </Table.Td>
                )}
                {row.tool !== null && (
                  <Table.Td>
                    {by === 'pair' ? <Untrusted mono>{row.tool}</Untrusted> : <Calls row={row} since={since} name={row.tool} />}
                  </Table.Td>
                )}
                <Table.Td ta="right">
                  <span className="bar-cell">
                    <meter className="bar" min={0} max={maxCalls} value={row.calls} aria-hidden="true" />
                    <span className="bar-value">{formatNumber(row.calls)}</span>
                  </span>
                </Table.Td>
                <Table.Td ta="right">{formatNumber(row.refused)}</Table.Td>
                <Table.Td ta="right">{formatNumber(row.failed)}</Table.Td>
                <Table.Td ta="right">{formatCost(row.cost)}</Table.Td>
                <Table.Td className="nowrap">{row.last === null ? t.never : <Ago at={row.last} />}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {rows.length > shown && (
        <Button mt="sm" variant="default" onClick={() => setShown(shown + STEP)}>
          {t.usage.more(rows.length - shown)}
        </Button>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t.usage.costAbout}
      </Text>
    </>
  );
}

function Calls({ row, since, name }: { row: Row; since: string; name: string }) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/activity"
          search={{
            ...(row.agent !== null && { agent_id: row.agent }),
            ...(row.tool !== null && { tool_name: row.tool }),
            start_date: since,
          }}
          {...props}
        />
      )}
    >
      <Untrusted>{name}</Untrusted>
    </Anchor>
  );
}
