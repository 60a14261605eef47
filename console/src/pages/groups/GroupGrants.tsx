import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries';
import type { GroupDetails, Permission } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { PermissionBadge } from '../../ui/badges';
import { Empty } from '../../ui/States';
import { useNow } from '../../ui/time';
import { View } from '../access/model';
import { PermissionDialog } from '../agents/PermissionDialog';
import { PermissionTable, PermissionToolbar } from '../agents/PermissionTable';
import { PermissionTerms } from '../agents/PermissionTerms';
import { ApplyTemplate } from '../templates/ApplyTemplate';
import { Affected, SomeNames } from './Affected';

const route = getRouteApi('/groups/$id');

/** The permissions of a group, and the members for which they take effect. */
export function GroupGrants({ group }: { group: GroupDetails }) {
  const { q = '', tool } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const now = useNow();
  const reach = useReach(group);
  const [applying, setApplying] = useState(false);
  const mayChange = may('change_permissions');
  const edit = (name: string) => void navigate({ search: (before) => ({ ...before, tool: name }) });
  const tools = Object.entries(group.permissions).sort(([one], [other]) => one.localeCompare(other));
  return (
    <>
      <PermissionToolbar
        filter={q}
        onFilter={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
        cli={null}
        http={{ method: 'GET', path: `/api/v1/groups/${encodeURIComponent(group.group_id)}` }}
        {...(mayChange && { onApply: () => setApplying(true), onGrant: () => edit('+') })}
      />
      {tools.length === 0 ? (
        <Empty icon="access" title={t.permissions.none}>
          {t.groups.grantsNothing}
        </Empty>
      ) : (
        <PermissionTable
          heading={t.groups.reach}
          onEdit={mayChange ? edit : undefined}
          rows={tools
            .filter(([each]) => each.toLowerCase().includes(q.toLowerCase()))
            .map(([each, permission]) => ({
              tool: each,
              badge: <PermissionBadge permission={{ state: stateOf(permission, now), sources: [permission] }} />,
              terms: <PermissionTerms permission={permission} />,
              about: <Reach of={reach(each)} members={group.members.length} />,
            }))}
        />
      )}
      {tool !== undefined && mayChange && (
        <PermissionDialog
          key={tool}
          holder={{ group_id: group.group_id }}
          tool={tool === '+' ? null : tool}
          own={group.permissions[tool] ?? null}
          affected={<Affected members={group.members} />}
          onClose={() => edit('')}
        />
      )}
      {applying && <ApplyTemplate holder={{ group_id: group.group_id }} onClose={() => setApplying(false)} />}
    </>
  );
}

function stateOf(permission: Permission, now: number) {
  if (!permission.allowed) {
    return 'refused';
  }
  if (permission.expires_at !== null && Date.parse(permission.expires_at) <= now) {
    return 'expired';
  }
  return permission.max_uses !== null && permission.uses >= permission.max_uses ? 'used_up' : 'allowed';
}

/** The members of a group that may use a tool, and those that may not, by their effective permissions. */
interface Reached {
  may: number;
  not: string[];
}

/** By tool, the members that may effectively use it, considering their own permissions and other groups. */
function useReach(group: GroupDetails): (tool: string) => Reached | null {
  const { data: matrix } = useQuery(queries.matrix);
  if (matrix === undefined) {
    return () => null;
  }
  const view = new View(matrix, [], { group: group.group_id });
  return (tool) => {
    const column = view.columns.find((each) => each.tool === tool);
    if (column === undefined) {
      return null;
    }
    const without = ['refused', 'expired', 'used', 'unset'];
    const not = view.rows.filter((row) => without.includes(view.lookAt(row, column))).map((row) => row.agent);
    return { may: view.rows.length - not.length, not };
  };
}

function Reach({ of, members }: { of: Reached | null; members: number }) {
  if (of === null || members === 0) {
    return (
      <Text size="sm" c="dimmed">
        {members === 0 ? t.groups.reachesNobody : ''}
      </Text>
    );
  }
  return (
    <Text size="sm" component="div">
      {t.groups.reaches(of.may, of.may + of.not.length)}
      {of.not.length > 0 && (
        <Text size="xs" c="dimmed" component="div">
          {t.groups.notReached} <SomeNames names={of.not} />
        </Text>
      )}
    </Text>
  );
}
