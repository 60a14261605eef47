import { Alert, Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '../../ui/notify';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useLive } from '../../api/live';
import { queries } from '../../api/queries';
import type { Tool } from '../../api/types';
import { useMay } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { PageHeader } from '../../ui/PageHeader';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { cycled, draft, useDraft, wantedOf, type Wanted } from './draft';
import { DraftPanel } from './DraftPanel';
import { blockOf, describe, MatrixGrid, shownLook, type Position } from './MatrixGrid';
import { LOOKS, View, type CompactMatrix, type Filter, type Look } from './model';
import { SIGNS } from './paint';
import { TermsDialog } from './TermsDialog';

const route = getRouteApi('/access');
const START: Position = { row: 0, column: 0 };

/** What every agent may do with every tool, and a draft of changes to it. */
export function AccessPage() {
  const search = route.useSearch();
  const matrix = useQuery(queries.matrix);
  const tools = useQuery(queries.tools);
  useLive('audit', () => void matrix.refetch());
  return (
    <>
      <PageHeader title={t.access.title} about={t.access.about}>
        <Command cli={null} http={{ method: 'GET', path: '/api/v1/permissions/matrix' }} />
      </PageHeader>
      <Loaded query={matrix} lines={12}>
        {(found) =>
          found.agents.length === 0 ? (
            <Empty icon="access" title={t.access.none}>
              {t.access.noneAbout} <Link to="/agents">{t.agents.title}</Link>
            </Empty>
          ) : (
            <Matrix matrix={found} tools={tools.data ?? []} filter={search} />
          )
        }
      </Loaded>
    </>
  );
}

function Matrix({ matrix, tools, filter }: { matrix: CompactMatrix; tools: Tool[]; filter: Filter }) {
  const navigate = route.useNavigate();
  const may = useMay();
  const client = useQueryClient();
  const stored = useDraft();
  const small = useMediaQuery('(max-width: 767px)');
  const view = useMemo(() => new View(matrix, tools, filter), [matrix, tools, filter]);
  const [cursor, setCursor] = useState({ focus: START, anchor: START });
  const [opened, setOpened] = useState(false);
  const copied = useRef<Wanted | null>(null);
  const search = useRef<HTMLInputElement | null>(null);
  const change = (part: Partial<Filter>) =>
    void navigate({ search: (before) => ({ ...before, ...part }) as typeof before, replace: true });
  useShortcuts({ '/': () => search.current?.focus() });

  const last = { row: Math.max(0, view.rows.length - 1), column: Math.max(0, view.columns.length - 1) };
  const clamped = (position: Position): Position => ({
    row: Math.min(position.row, last.row),
    column: Math.min(position.column, last.column),
  });
  const focus = clamped(cursor.focus);
  const anchor = clamped(cursor.anchor);
  const block = blockOf(focus, anchor);
  const selected = () =>
    view.rows
      .slice(block.top, block.bottom + 1)
      .flatMap((row) => view.columns.slice(block.left, block.right + 1).map((column) => ({ row, column })));
  const mayChange = may('change_permissions');
  const set = (wanted: Wanted | null) => {
    if (mayChange) {
      draft.set(
        matrix.version,
        selected().map(({ row, column }) => ({ agent: row.agent, tool: column.tool, wanted })),
      );
    }
  };
  const row = view.rows[focus.row];
  const column = view.columns[focus.column];
  const now = row === undefined || column === undefined ? undefined : draft.at(row.agent, column.tool);
  // The matrix does not contain the terms, and pasting without them would grant more than was copied.
  const copy = async () => {
    if (row === undefined || column === undefined) {
      return;
    }
    if (now !== undefined) {
      copied.current = now;
      return;
    }
    copied.current = null;
    const { permissions } = await client.fetchQuery(queries.permissions(row.agent));
    const sources = permissions.find((each) => each.tool_name === column.tool)?.sources ?? [];
    copied.current = wantedOf(sources.find((source) => source.source === 'agent') ?? sources[0]);
    notifications.show({ message: t.access.copied });
  };
  const actions = {
    cycle: () => set(cycled(now)),
    open: () => setOpened(true),
    copy: () => void copy(),
    paste: () => copied.current !== null && set(copied.current),
    clear: () => set({ kind: 'clear' }),
  };

  return (
    <>
      <search className="filters">
        <TextInput
          ref={search}
          label={t.access.toolFilter}
          placeholder={t.access.textOrExpression}
          value={filter.tool ?? ''}
          onChange={(event) => change({ tool: event.currentTarget.value })}
        />
        <TextInput
          label={t.access.agentFilter}
          placeholder={t.access.textOrExpression}
          value={filter.agent ?? ''}
          onChange={(event) => change({ agent: event.currentTarget.value })}
        />
        <Choice
          label={t.access.category}
          value={filter.category}
          options={[...new Set(tools.map((tool) => tool.category as string))].sort().map((name) => [name, name])}
          onChange={(category) => change({ category })}
        />
        <Choice
          label={t.access.danger}
          value={filter.danger}
          options={[
            ['dangerous', t.access.dangerous],
            ['safe', t.access.safe],
          ]}
          onChange={(danger) => change({ danger })}
        />
        <Choice
          label={t.access.group}
          value={filter.group}
          options={[...matrix.groups].sort().map((name) => [name, name])}
          onChange={(group) => change({ group })}
        />
        <Choice
          label={t.access.state}
          value={filter.state}
          options={LOOKS.map((look) => [look, t.access.looks[look]])}
          onChange={(state) => change({ state })}
        />
      </search>
      {matrix.tools_left_out > 0 && (
        <Alert color="yellow" variant="light" mb="sm">
          {t.access.leftOut(matrix.tools_left_out)}
        </Alert>
      )}
      {view.rows.length === 0 || view.columns.length === 0 ? (
        <Empty icon="search" title={t.access.noMatch}>
          <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
            {t.access.allShown}
          </Button>
        </Empty>
      ) : small === true ? (
        <AgentList view={view} />
      ) : (
        <>
          <MatrixGrid
            view={view}
            focus={focus}
            anchor={anchor}
            onMove={(to, from) => setCursor({ focus: to, anchor: from })}
            actions={actions}
          />
          <Group justify="space-between" mt="xs" gap="sm" align="flex-start">
            <Text size="sm" aria-live="polite" className="matrix-status">
              {row !== undefined && column !== undefined && <Untrusted>{describe(view, row, column)}</Untrusted>}
              {(block.top !== block.bottom || block.left !== block.right) &&
                ` ${t.access.selected((block.bottom - block.top + 1) * (block.right - block.left + 1))}`}
            </Text>
            <Group gap="xs">
              {mayChange && (
                <Button size="compact-sm" variant="default" onClick={actions.open}>
                  {t.access.openTerms}
                </Button>
              )}
              {row !== undefined && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  renderRoot={(props) => (
                    <Link
                      to="/agents/$id"
                      params={{ id: row.agent }}
                      search={{ tab: 'access', ...(column && { q: column.tool }) }}
                      {...props}
                    />
                  )}
                >
                  {t.access.why}
                </Button>
              )}
            </Group>
          </Group>
          <Legend />
          <Text size="xs" c="dimmed">
            {mayChange ? t.access.keys : t.access.keysOfReaders}
          </Text>
        </>
      )}
      {stored.cells.length > 0 && <DraftPanel version={matrix.version} />}
      {opened && mayChange && row !== undefined && column !== undefined && (
        <TermsDialog
          agent={row.agent}
          tool={column.tool}
          count={selected().length}
          now={now ?? null}
          onClose={() => setOpened(false)}
          onChoose={(wanted) => {
            set(wanted);
            setOpened(false);
          }}
        />
      )}
    </>
  );
}

function Choice({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string | undefined;
  options: (readonly [string, string])[];
  onChange: (value: string | undefined) => void;
}) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      data={[{ value: '', label: t.access.any }, ...options.map(([key, text]) => ({ value: key, label: text }))]}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

function Legend() {
  return (
    <ul className="matrix-legend" aria-label={t.access.legend}>
      {LOOKS.filter((look) => look !== 'unset').map((look) => (
        <li key={look}>
          <span className={`matrix-sign look-${look}`} aria-hidden="true">
            {SIGNS[look]}
          </span>
          {t.access.looks[look]}
        </li>
      ))}
    </ul>
  );
}

/** On small screens: the agents, each with its number of tools by state. */
function AgentList({ view }: { view: View }) {
  return (
    <ul className="agent-cards">
      {view.rows.map((row) => {
        const counts = new Map<Look, number>();
        for (const column of view.columns) {
          const look = shownLook(view, row, column);
          counts.set(look, (counts.get(look) ?? 0) + 1);
        }
        return (
          <li key={row.agent}>
            <Link to="/agents/$id" params={{ id: row.agent }} search={{ tab: 'access' }} className="agent-card">
              <Untrusted>{row.name ?? row.agent}</Untrusted>
              <span className="agent-card-counts">
                {LOOKS.filter((look) => look !== 'unset' && counts.has(look)).map((look) => (
                  <span key={look}>
                    <span className={`matrix-sign look-${look}`} aria-hidden="true">
                      {SIGNS[look]}
                    </span>
                    {counts.get(look)} {t.access.looks[look]}
                  </span>
                ))}
              </span>
                          </Link>
          </li>
        );
      })}
    </ul>
  );
}
