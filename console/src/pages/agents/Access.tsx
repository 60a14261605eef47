import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries';
import type { EffectivePermission, HeldPermission } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { PermissionBadge } from '../../ui/badges';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { ApplyTemplate } from '../templates/ApplyTemplate';
import { PermissionDialog } from './PermissionDialog';
import { PermissionTable, PermissionToolbar } from './PermissionTable';
import { PermissionTerms } from './PermissionTerms';

const route = getRouteApi('/agents/$id');

/** The tools that an agent may use, and the sources of the permissions. */
export function Access({ agent }: { agent: string }) {
  const { tool, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.permissions(agent));
  const [applying, setApplying] = useState(false);
  const mayChange = may('change_permissions');
  const edit = (name: string) => void navigate({ search: (before) => ({ ...before, tool: name }) });
  return (
    <>
      <PermissionToolbar
        filter={q}
        onFilter={(text) => void navigate({ search: (before) => ({ ...before, q: text }), replace: true })}
        cli={['permissions', 'show', agent]}
        http={{ method: 'GET', path: `/api/v1/agents/${encodeURIComponent(agent)}/permissions` }}
        {...(mayChange && { onApply: () => setApplying(true), onGrant: () => edit('+') })}
      />
      <Loaded query={query}>
        {({ permissions, groups }) => (
          <>
            {groups.length > 0 && (
              <Text size="sm" mb="sm" component="div">
                {t.agents.groups}{' '}
                {groups.map((group, number) => (
                  <span key={group}>
                    {number > 0 && ', '}
                    <Anchor size="sm" renderRoot={(props) => <Link to="/groups/$id" params={{ id: group }} {...props} />}>
                      <Untrusted>{group}</Untrusted>
                    </Anchor>
                  </span>
                ))}
              </Text>
            )}
            {permissions.length === 0 ? (
              <Empty icon="access" title={t.permissions.none}>
                {t.permissions.noneAbout}
              </Empty>
            ) : (
              <PermissionTable
                heading={t.permissions.from}
                onEdit={mayChange ? edit : undefined}
                rows={permissions
                  .filter((each) => each.tool_name.toLowerCase().includes(q.toLowerCase()))
                  .map((each) => ({
                    tool: each.tool_name,
                    badge: <PermissionBadge permission={each} />,
                    about: <Sources permission={each} />,
                  }))}
              />
            )}
            {tool !== undefined && mayChange && (
              <PermissionDialog
                key={tool}
                holder={{ agent_id: agent }}
                tool={tool === '+' ? null : tool}
                own={
                  permissions
                    .find((each) => each.tool_name === tool)
                    ?.sources.find((source) => source.source === 'agent') ?? null
                }
                onClose={() => edit('')}
              />
            )}
          </>
        )}
      </Loaded>
      {applying && <ApplyTemplate holder={{ agent_id: agent }} onClose={() => setApplying(false)} />}
    </>
  );
}

function Sources({ permission }: { permission: EffectivePermission }) {
  return (
    <>
      {permission.sources.map((source, number) => (
        <Source key={number} source={source} />
      ))}
    </>
  );
}

function Source({ source }: { source: HeldPermission }) {
  const group = (source as { group_id?: string }).group_id ?? '';
  return (
    <Text size="sm" component="div">
      {source.source === 'agent' ? t.permissions.own : t.permissions.ofGroup}{' '}
      {source.source === 'group' && (
        <Anchor size="sm" renderRoot={(props) => <Link to="/groups/$id" params={{ id: group }} {...props} />}>
          <Untrusted>{group}</Untrusted>
        </Anchor>
      )}
      {!source.allowed && ` ${t.permissions.refuses}`}
      <PermissionTerms permission={source} />
    </Text>
  );
}
