import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import type { Page } from '../../api/client';
import { useLive } from '../../api/live';
import { queries } from '../../api/queries';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { sum } from '../../ui/plot/intervals';
import { Loaded } from '../../ui/States';
import { Ago, formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { ChangeLine } from '../changes/ChangeLine';
import { rowsBy, sorted } from '../usage/sums';
import { callsOfDay, dayAgo, lastChanges, newestRecord, usageOfDay } from './data';
import { FirstSteps } from './FirstSteps';

const SOON_MS = 14 * 86_400e3;
const SHOWN = 5;

/** Pending approvals, the calls of a day, grants and keys that end soon, and the health of the gate. */
export function OverviewPage() {
  const may = useMay();
  const client = useQueryClient();
  const counts = () =>
    ['newest', 'histogram', 'usage'].forEach((each) => void client.invalidateQueries({ queryKey: ['audit', each] }));
  useLive('audit', counts, may('read_audit'));
  return (
    <>
      <PageHeader title={t.overview.title} about={t.overview.about} />
      {useIsNew() ? <FirstSteps /> : <Panels />}
    </>
  );
}

/** Whether the gate has neither agents nor calls. */
function useIsNew(): boolean {
  const may = useMay();
  const readsAgents = may('read_permissions');
  const isEmpty = (page: Page<unknown>) => page.items.length === 0;
  const { data: none = !readsAgents } = useQuery({ ...queries.anyAgent, enabled: readsAgents, select: isEmpty });
  const readsRecords = none && may('read_agent_audit');
  const { data: unused = false } = useQuery({ ...newestRecord, enabled: readsRecords, select: isEmpty });
  return none && unused;
}

/** Each part fetches its own data, so that an answer renders one part and not all. */
function Panels() {
  const may = useMay();
  const readsAudit = may('read_agent_audit');
  const since = useMemo(dayAgo, []);
  return (
    <>
      <div className="tiles">
        <WaitingTile />
        {readsAudit && <CallTiles since={since} />}
      </div>
      <div className="panels">
        <div>
          {readsAudit && (
            <Panel title={t.overview.mostRefused}>
              <MostRefused since={since} />
            </Panel>
          )}
          <HealthPanel />
        </div>
        <div>
          {may('read_permissions') && <ChangesPanel />}
          {may('read_permissions') && <GrantsPanel />}
          {may('manage_keys') && <KeysPanel />}
        </div>
      </div>
    </>
  );
}

/** The calls of the last day, and those of them that were refused or failed. */
function CallTiles({ since }: { since: string }) {
  const { data } = useQuery(callsOfDay(since));
  const of = (...names: ('completed' | 'failed' | 'refused' | 'interrupted')[]) =>
    data && formatNumber(sum(data.buckets.flatMap((bucket) => names.map((name) => bucket[name]))));
  return (
    <>
      <Tile
        name={t.overview.calls}
        value={of('completed', 'failed', 'refused', 'interrupted')}
        about={data?.approximate === true ? t.activity.approximate : undefined}
        to="/activity"
        search={{ since: '24h' }}
      />
      <Tile name={t.overview.refused} value={of('refused')} to="/activity" search={{ since: '24h', status: 'REFUSED' }} />
      <Tile name={t.overview.failed} value={of('failed')} to="/activity" search={{ since: '24h', status: 'FAILED' }} />
    </>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Tile({
  name,
  value,
  about,
  to,
  search = {},
}: {
  name: string;
  value: string | undefined;
  about?: ReactNode;
  to: '/activity' | '/approvals';
  search?: Record<string, string>;
}) {
  return (
    <Link to={to} search={search} className="tile">
      <div className="tile-name">{name}</div>
      <div className="tile-value">{value ?? '…'}</div>
      <div className="tile-about">{about}</div>
    </Link>
  );
}

function WaitingTile() {
  const { data } = useQuery(queries.pendingApprovals);
  const oldest = data?.items.map((each) => each.asked_at).sort()[0];
  return (
    <Tile
      name={t.overview.waiting}
      value={data && (data.next === null ? '' : t.overview.atLeast) + formatNumber(data.items.length)}
      about={
        oldest !== undefined && (
          <>
            {t.overview.oldest} <Ago at={oldest} />
          </>
        )
      }
      to="/approvals"
    />
  );
}

function MostRefused({ since }: { since: string }) {
  const query = useQuery(usageOfDay(since));
  return (
    <Loaded query={query} lines={3}>
      {({ usage }) => {
        const most = sorted(rowsBy(usage, 'pair'), 'refused').filter((each) => each.refused > 0);
        return most.length === 0 ? (
          <p className="dimmed">{t.overview.nothingRefused}</p>
        ) : (
          <ul className="lines">
            {most.slice(0, SHOWN).map(({ agent, tool, refused }) => (
              <li key={`${agent} ${tool}`} className="most-refused">
                <Link
                  to="/activity"
                  search={{ agent_id: agent ?? '', tool_name: tool ?? '', status: 'REFUSED', since: '24h' }}
                  className="anchor"
                >
                  <Untrusted>{agent}</Untrusted> → <Untrusted mono>{tool}</Untrusted>
                </Link>
                <span>{formatNumber(refused)}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

/** Grants that the server says end soon, by agent and tool. */
function GrantsPanel() {
  const query = useQuery(queries.matrix);
  return (
    <Panel title={t.overview.grantsEnding}>
      <Loaded query={query} lines={2}>
        {(matrix) => {
          const endsSoon = new Set(Object.keys(matrix.legend).filter((each) => matrix.legend[each]?.ends_soon));
          const ending = (endsSoon.size === 0 ? [] : matrix.agents).flatMap(({ agent_id: agent, cells }) =>
            matrix.tools.filter((_, at) => endsSoon.has(cells.charAt(at))).map(({ name }) => ({ agent, tool: name })),
          );
          return ending.length === 0 ? (
            <p className="dimmed">{t.overview.noKeyEnds}</p>
          ) : (
            <ul className="lines small">
              {ending.slice(0, SHOWN).map(({ agent, tool }) => (
                <li key={`${agent} ${tool}`}>
                  <Link to="/agents/$id" params={{ id: agent }} search={{ tool }} className="anchor">
                    <Untrusted>{agent}</Untrusted> → <Untrusted mono>{tool}</Untrusted>
                  </Link>
                </li>
              ))}
              <li>
                <Link to="/access" search={{ state: 'ending' }} className="anchor">
                  {t.overview.allEnding}
                </Link>
              </li>
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function HealthPanel() {
  const query = useQuery(queries.health);
  return (
    <Panel title={t.overview.health}>
      <Loaded query={query} lines={4}>
        {(health) => (
          <>
            <ul className="lines small">
              {Object.entries(health.checks).map(([name, check]) => (
                <li key={name} className="health-check">
                  <span className={`health ${check.status}`}>
                    <Icon name={check.status === 'ok' ? 'check' : 'warning'} size={16} />
                  </span>
                  <div>
                    <strong>{name}</strong> {t.overview.healthStates[check.status]}
                    {'. '}
                    {check.detail}
                  </div>
                </li>
              ))}
            </ul>
            <p className="dimmed version">{t.overview.version(health.version)}</p>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function ChangesPanel() {
  const query = useQuery(lastChanges);
  return (
    <Panel title={t.overview.lastChanges}>
      <Loaded query={query} lines={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="dimmed">{t.changes.none}</p>
          ) : (
            <ul className="lines small">
              {items.map((each) => (
                <li key={each.id}>
                  <ChangeLine change={each} />{' '}
                  <span className="aside-time">
                    <Ago at={each.changed_at} />
                  </span>
                </li>
              ))}
              <li>
                <Link to="/changes" className="anchor">
                  {t.overview.allChanges}
                </Link>
              </li>
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

function KeysPanel() {
  const query = useQuery(queries.keys);
  const limit = useMemo(() => new Date(Date.now() + SOON_MS).toISOString(), []);
  return (
    <Panel title={t.overview.keysEnding}>
      <Loaded query={query} lines={2}>
        {(keys) => {
          const ending = keys.filter(
            (each) => each.state === 'usable' && each.expires_at !== null && each.expires_at < limit,
          );
          return ending.length === 0 ? (
            <p className="dimmed">{t.overview.noKeyEnds}</p>
          ) : (
            <ul className="lines small">
              {ending.slice(0, SHOWN).map((each) => (
                <li key={each.key_id}>
                  <Untrusted>{each.name === '' ? each.prefix : each.name}</Untrusted> ({each.role}){' '}
                  {each.expires_at !== null && <Ago at={each.expires_at} />}
                </li>
              ))}
              <li>
                <Link to="/settings" search={{ tab: 'keys' }} className="anchor">
                  {t.overview.toKeys}
                </Link>
              </li>
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}
