import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { PageHeader } from '../../ui/PageHeader';
import { History } from './History';
import { Standing } from './Standing';
import { Waiting } from './Waiting';

const route = getRouteApi('/approvals');

/** Pending approval requests, the history, and standing approvals. */
export function ApprovalsPage() {
  const { view = 'waiting' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <>
      <PageHeader title={t.approvals.title} about={t.approvals.about} />
      <Tabs
        value={view}
        onChange={(next) => void navigate({ search: next === 'waiting' || next === null ? {} : { view: next } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="waiting">{t.approvals.waiting}</Tabs.Tab>
          <Tabs.Tab value="history">{t.approvals.history}</Tabs.Tab>
          {may('read_permissions') && <Tabs.Tab value="standing">{t.approvals.standing}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <Waiting />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History />
        </Tabs.Panel>
        <Tabs.Panel value="standing">
          <Standing />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
