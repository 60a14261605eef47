import { Alert, Button, Group, Menu, Switch } from '@mantine/core';
import { useMediaQuery, useThrottledCallback } from '@mantine/hooks';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { auditPages, exportAddress, MAX_ROWS, newestRecords, oldestRecord, PAGE_SIZE } from '../../api/audit';
import { useLive } from '../../api/live';
import { useMay } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Facets } from './Facets';
import { auditFilter, auditWords, counted, type ActivitySearch } from './filters';
import { Chips, Filters } from './FilterBar';
import { Histogram } from './Histogram';
import { RecordList } from './RecordList';
import './activity.css';

const route = getRouteApi('/activity');
/** Beyond this scroll position, live updates are paused. */
const SCROLLED = 80;
/** The minimum interval between refetches of the counts while records come in. */
const COUNT_MS = 5000;

/** The audit log: newest first, live at the top, with its filters in the URL. */
export function ActivityPage() {
  const search: ActivitySearch = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const client = useQueryClient();
  const wide = useMediaQuery('(min-width: 1300px)');
  const [live, setLive] = useState(true);
  const [fresh, setFresh] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const text = useRef<HTMLInputElement>(null);
  const cursor = search.page ?? '';
  const asked = JSON.stringify(search);
  const [now, setNow] = useState(() => Date.now());
  // eslint-disable-next-line react-hooks/exhaustive-deps -- by value: the object is another at every navigation
  const filter = useMemo(() => auditFilter(search, Date.now()), [asked]);
  const query = useInfiniteQuery(auditPages(filter, cursor));
  const oldest = useQuery(oldestRecord(filter.kind));
  const counting = useMemo(
    () => (oldest.data === undefined ? null : counted(filter, oldest.data, now)),
    [filter, oldest.data, now],
  );
  const records = query.data?.pages.flatMap((each) => each.items) ?? [];
  const newest = records[0]?.id ?? 0;
  const next = query.data?.pages.at(-1)?.next ?? null;

  const change = (part: ActivitySearch) =>
    void navigate({ search: (before) => ({ ...before, page: '', ...part }), replace: true });
  const showNew = async () => {
    setFresh(0);
    window.scrollTo({ top: 0 });
    await client.resetQueries({ queryKey: auditPages(filter, cursor).queryKey });
  };
  useEffect(() => {
    setFresh(0);
    setNow(Date.now());
  }, [asked]);
  const recount = useThrottledCallback(() => {
    setNow(Date.now());
    void client.invalidateQueries({ queryKey: ['audit', 'histogram'] });
    void client.invalidateQueries({ queryKey: ['audit', 'facets'] });
  }, COUNT_MS);
  useLive(
    'audit',
    () => {
      recount();
      void client
        .fetchQuery({ ...newestRecords(filter, PAGE_SIZE), staleTime: 0 })
        .then(({ items }) => {
          const count = items.filter((each) => each.id > newest).length;
          if (count > 0 && window.scrollY < SCROLLED && (query.data?.pages.length ?? 0) <= 1) {
            void query.refetch();
            setFresh(0);
          } else {
            setFresh(count);
          }
        })
        .catch(() => undefined);
    },
    live && cursor === '' && may('read_audit') && query.data !== undefined,
  );
  const move = (step: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a.record') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), '/': () => text.current?.focus() });

  const filtered = Object.keys(search).some((name) => name !== 'page');
  const facets = counting !== null && <Facets filter={counting} search={search} onChange={change} />;
  return (
    <>
      <PageHeader title={t.activity.title} about={t.activity.about}>
        {may('read_audit') && (
          <>
            <Switch
              label={t.activity.live}
              checked={live && cursor === ''}
              disabled={cursor !== ''}
              onChange={(event) => setLive(event.currentTarget.checked)}
            />
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" size="xs" leftSection={<Icon name="download" size={15} />}>
                  {t.activity.download}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item component="a" href={exportAddress(filter, 'csv')} download>
                  {t.activity.csv}
                </Menu.Item>
                <Menu.Item component="a" href={exportAddress(filter, 'jsonl')} download>
                  {t.activity.jsonl}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        )}
        <Command
          cli={auditWords(search)}
          http={{ method: 'GET', path: exportAddress(filter, 'jsonl').replace('/export?', '/logs?').replace(/&?format=jsonl/, '') }}
        />
      </PageHeader>
      <Filters search={search} onChange={change} text={text} />
      <Chips search={search} onChange={change} onClear={() => void navigate({ search: {} })} />
      {counting !== null && (oldest.data !== null || filtered) && (
        <Histogram
          filter={counting}
          onPeriod={(from, until) =>
            change({ since: '', start_date: from.toISOString(), end_date: until.toISOString() })
          }
        />
      )}
      <div className={wide ? 'with-facets' : undefined}>
        {wide ? (
          <aside aria-label={t.activity.facets}>{facets}</aside>
        ) : (
          <details className="facets-small">
            <summary>{t.activity.facets}</summary>
            {facets}
          </details>
        )}
        <div className="with-facets-list">
          {cursor !== '' && (
            <Alert color="blue" variant="light" mb="sm" icon={<Icon name="clock" />} title={t.activity.olderWindow}>
              <Button size="compact-sm" variant="default" onClick={() => change({})}>
                {t.activity.toNewest}
              </Button>
            </Alert>
          )}
          <div role="status" className="fresh">
            {fresh > 0 && (
              <Button fullWidth onClick={() => void showNew()}>
                {t.activity.fresh(fresh, PAGE_SIZE)}
              </Button>
            )}
          </div>
          <Loaded query={query}>
            {() => (
              <>
                {records.length > 0 ? (
                  <RecordList records={records} list={list} />
                ) : (
                  next === null && (
                    <Empty icon="activity" title={filtered ? t.activity.noMatch : t.activity.none}>
                      {filtered ? t.activity.noMatchAbout : t.activity.noneAbout}
                    </Empty>
                  )
                )}
                {next !== null && (
                  <Group mt="md" gap="sm">
                    {records.length >= MAX_ROWS ? (
                      <Button variant="default" onClick={() => {
                        void navigate({ search: (before) => ({ ...before, page: next }) });
                        window.scrollTo({ top: 0 });
                      }}>
                        {t.activity.nextWindow(MAX_ROWS)}
                      </Button>
                    ) : (
                      <Button
                        variant="default"
                        loading={query.isFetchingNextPage}
                        onClick={() => void query.fetchNextPage()}
                      >
                        {records.length === 0 ? t.activity.searchOn : t.older}
                      </Button>
                    )}
                  </Group>
                )}
              </>
            )}
          </Loaded>
        </div>
      </div>
    </>
  );
}
