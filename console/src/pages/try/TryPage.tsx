import { Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { PageHeader } from '../../ui/PageHeader';
import { CallTab } from './CallTab';
import { ConditionTab } from './ConditionTab';

const route = getRouteApi('/try');

/** Tries a call, with its decision shown first, or a condition with examples. */
export function TryPage() {
  const { view = 'call' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <>
      <PageHeader title={t.try.title} about={t.try.about} />
      <Tabs
        value={view}
        onChange={(next) => void navigate({ search: next === null || next === 'call' ? {} : { view: next } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="call">{t.try.call}</Tabs.Tab>
          {may('read_permissions') && <Tabs.Tab value="condition">{t.try.condition}</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="call">
          <CallTab />
        </Tabs.Panel>
        <Tabs.Panel value="condition">
          <ConditionTab />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
