import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** The head of a column. Less important columns are hidden on small screens, by `from` here and in their cells. */
export type Head = string | { label: string; from?: 'sm' | 'md'; right?: boolean; onlyRead?: boolean };

/** The table of every list: heads, and rows as children. With a minimum width it scrolls, by keyboard too. */
export function ListTable({ heads, minWidth, children }: { heads: Head[]; minWidth?: number; children: ReactNode }) {
  const table = (
    <Table verticalSpacing="xs" highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => {
            const { label, from, right, onlyRead } = typeof head === 'string' ? { label: head } as Exclude<Head, string> : head;
            return (
              <Table.Th key={label} {...(from && { visibleFrom: from })} {...(right && { ta: 'right' as const })}>
                {onlyRead ? <span className="visually-hidden">{label}</span> : label}
              </Table.Th>
            );
          })}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
  return minWidth === undefined ? (
    table
  ) : (
    <Table.ScrollContainer minWidth={minWidth} type="native" scrollAreaProps={{ tabIndex: 0 }}>
      {table}
    </Table.ScrollContainer>
  );
}
