import { Anchor, Button, Menu, Tabs, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { GroupDetails } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Confirm } from '../../ui/confirm';
import { PageHeader } from '../../ui/PageHeader';
import { withReason } from '../../ui/ReasonInput';
import { Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { ChangeTable } from '../changes/ChangesPage';
import { DescribeGroup } from './DescribeGroup';
import { GroupGrants } from './GroupGrants';
import { GroupMembers } from './GroupMembers';

const route = getRouteApi('/groups/$id');

/** One group: its members, what it grants them, and who changed that. */
export function GroupPage() {
  const { id } = route.useParams();
  const { tab = 'members' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.group(id));
  const [dialog, setDialog] = useState<'describe' | 'remove' | null>(null);
  const group = query.data;
  return (
    <>
      <PageHeader
        title={id}
        heading={<Untrusted>{id}</Untrusted>}
        about={
          <>
            <Untrusted>{group?.description ?? ''}</Untrusted>
            <div>
              <Anchor size="sm" renderRoot={(props) => <Link to="/groups" {...props} />}>
                {t.groups.back}
              </Anchor>
            </div>
          </>
        }
      >
        {group !== undefined && may('change_permissions') && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">{t.actions}</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setDialog('describe')}>{t.groups.describe}</Menu.Item>
              <Menu.Item color="red" onClick={() => setDialog('remove')}>
                {t.groups.remove}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(found) => (
          <Tabs
            value={tab}
            onChange={(next) => void navigate({ search: next === null || next === 'members' ? {} : { tab: next } })}
            keepMounted={false}
          >
            <Tabs.List mb="md">
              <Tabs.Tab value="members">{t.groups.tabs.members(found.members.length)}</Tabs.Tab>
              <Tabs.Tab value="grants">{t.groups.tabs.grants(Object.keys(found.permissions).length)}</Tabs.Tab>
              <Tabs.Tab value="history">{t.agents.tabs.history}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="members">
              <GroupMembers group={found} />
            </Tabs.Panel>
            <Tabs.Panel value="grants">
              <GroupGrants group={found} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <ChangeTable filter={{ group_id: id }} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Loaded>
      {group !== undefined && dialog === 'describe' && <DescribeGroup group={group} onClose={() => setDialog(null)} />}
      {group !== undefined && dialog === 'remove' && <RemoveGroup group={group} onClose={() => setDialog(null)} />}
    </>
  );
}

function RemoveGroup({ group, onClose }: { group: GroupDetails; onClose: () => void }) {
  const client = useQueryClient();
  const go = useNavigate();
  const id = group.group_id;
  const path = `/api/v1/groups/${encodeURIComponent(id)}`;
  return (
    <Confirm
      title={t.groups.removeTitle}
      action={t.groups.remove}
      onClose={onClose}
      command={(reason) => ({
        cli: null, // the command line removes no groups
        http: { method: 'DELETE', path: withReason(path, reason) },
      })}
      onConfirm={async (reason) => {
        await answer(
          api.DELETE('/api/v1/groups/{group_id}', {
            params: { path: { group_id: id }, ...(reason !== '' && { query: { reason } }) },
          }),
        );
        await go({ to: '/groups' });
        client.removeQueries({ queryKey: ['groups', id] });
        await client.invalidateQueries({ queryKey: ['groups'] });
        await client.invalidateQueries({ queryKey: ['permissions'] });
      }}
    >
      <Text size="sm">
        {t.groups.removeAbout(group.members.length, Object.keys(group.permissions).length)}
      </Text>
    </Confirm>
  );
}
