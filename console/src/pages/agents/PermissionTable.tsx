import { Anchor, Button, Group, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../strings';
import { Command, type HttpRequest } from '../../ui/Command';
import { FilterInput } from '../../ui/FilterInput';
import { Icon } from '../../ui/Icon';
import { ListTable } from '../../ui/ListTable';
import { Untrusted } from '../../ui/Untrusted';

/** What an agent or a group may do with one tool. */
export interface PermissionRow {
  tool: string;
  badge: ReactNode;
  terms?: ReactNode;
  /** Its source, or the agents it applies to. */
  about: ReactNode;
}

/** Permissions by tool; on small screens everything about one is below its name. */
export function PermissionTable({
  heading,
  rows,
  onEdit,
}: {
  heading: string;
  rows: PermissionRow[];
  /** Missing if the user may not change permissions. */
  onEdit?: ((tool: string) => void) | undefined;
}) {
  return (
    <ListTable
      heads={[
        t.approvals.tool,
        { label: t.permissions.state, from: 'sm' },
        { label: heading, from: 'sm' },
        ...(onEdit ? [{ label: t.actions, onlyRead: true }] : []),
      ]}
    >
      {rows.map(({ tool, badge, terms, about }) => (
        <Table.Tr key={tool}>
          <Table.Td>
            <Anchor renderRoot={(props) => <Link to="/tools/$name" params={{ name: tool }} {...props} />}>
              <Untrusted mono>{tool}</Untrusted>
            </Anchor>
            <div className="only-small">{badge}</div>
            {terms}
            <div className="only-small">{about}</div>
          </Table.Td>
          <Table.Td visibleFrom="sm">{badge}</Table.Td>
          <Table.Td visibleFrom="sm">{about}</Table.Td>
          {onEdit && (
            <Table.Td ta="right">
              <Button
                size="compact-sm"
                variant="subtle"
                aria-label={t.permissions.changeOf(tool)}
                onClick={() => onEdit(tool)}
              >
                {t.permissions.change}
              </Button>
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </ListTable>
  );
}

/** The filter of the permissions, and the actions. */
export function PermissionToolbar({
  filter,
  onFilter,
  cli,
  http,
  onApply,
  onGrant,
}: {
  filter: string;
  onFilter: (text: string) => void;
  cli: string[] | null;
  http: HttpRequest;
  onApply?: (() => void) | undefined;
  onGrant?: (() => void) | undefined;
}) {
  return (
    <Group mb="md" justify="space-between">
      <FilterInput value={filter} onChange={onFilter} />
      <Group gap="xs">
        <Command cli={cli} http={http} />
        {onApply && (
          <Button variant="default" onClick={onApply}>
            {t.agents.applyTemplate}
          </Button>
        )}
        {onGrant && (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={onGrant}>
            {t.permissions.add}
          </Button>
        )}
      </Group>
    </Group>
  );
}
