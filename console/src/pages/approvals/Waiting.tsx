import { Button, Checkbox, Group, Paper, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { queries } from '../../api/queries';
import type { Approval } from '../../api/types';
import { useMay } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { ApprovalBadge } from '../../ui/badges';
import { Icon } from '../../ui/Icon';
import { Empty, Loaded } from '../../ui/States';
import { Countdown } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { useAnswering } from './answers';
import { Decision, type DecisionKeys } from './Decision';
import { useKeptRows } from './keptRows';
import { Preview } from './Preview';

const route = getRouteApi('/approvals');

function matches(approval: Approval, text: string): boolean {
  const wanted = text.toLowerCase();
  return [approval.agent_id, approval.tool_name, approval.reason, approval.operation].some((each) =>
    each.toLowerCase().includes(wanted),
  );
}

/** The inbox: a list, soonest expiry first, and beside it everything about the selected request. */
export function Waiting() {
  const { id, q = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const query = useQuery(queries.pendingApprovals);
  const { data: tools } = useQuery(queries.tools);
  const { rows, put, forgetAnswered } = useKeptRows(query.data?.items);
  const answering = useAnswering(put);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const filter = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const keys = useRef<DecisionKeys | null>(null);

  const shown = q === '' ? rows : rows.filter((each) => matches(each, q));
  const current = shown.find((each) => each.approval_id === id) ?? null;
  const mayAnswer = may('answer_approvals') || may('answer_own_questions');
  // A call can be approved only after all of its arguments were loaded and shown.
  const held = useQuery({
    ...queries.heldCall(current?.approval_id ?? ''),
    enabled: current !== null && current.state === 'pending',
  });
  const read = held.data !== undefined;
  const answered = rows.filter((each) => each.state !== 'pending').length;

  useEffect(() => {
    if (current !== null && read) {
      setSeen((before) => (before.has(current.approval_id) ? before : new Set(before).add(current.approval_id)));
    }
  }, [current, read]);

  const soonest = rows.find((each) => each.state === 'pending')?.expires_at;
  const { refetch } = query;
  useEffect(() => {
    if (soonest === undefined) {
      return undefined;
    }
    // The server decides what has expired; the list is fetched again when a request should have.
    const left = Math.min(Math.max(Date.parse(soonest) - Date.now(), 0) + 1500, 2 ** 31 - 1);
    const timer = setTimeout(() => void refetch(), left);
    return () => clearTimeout(timer);
  }, [soonest, refetch]);

  const open = (approval: Approval) => {
    void navigate({ search: (before) => ({ ...before, id: approval.approval_id }), replace: true });
    list.current?.querySelector<HTMLElement>(`[data-id="${approval.approval_id}"]`)?.focus();
  };
  const move = (step: number) => {
    const at = shown.findIndex((each) => each.approval_id === id);
    const next = shown[at < 0 ? 0 : Math.min(Math.max(at + step, 0), shown.length - 1)];
    if (next !== undefined) {
      open(next);
    }
  };
  const toggle = (approval: Approval) =>
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(approval.approval_id)) {
        after.add(approval.approval_id);
      }
      return after;
    });
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    a: () => keys.current?.approve(),
    d: () => keys.current?.deny(),
    s: () => keys.current?.nextScope(),
    x: () => current !== null && current.state === 'pending' && toggle(current),
    '/': () => filter.current?.focus(),
    Escape: () => void navigate({ search: (before) => ({ ...before, id: '' }) }),
  });

  const chosen = shown.filter((each) => selected.has(each.approval_id) && each.state === 'pending');
  return (
    <Loaded query={query}>
      {() =>
        rows.length === 0 ? (
          <Empty icon="approvals" title={t.approvals.none}>
            {t.approvals.noneAbout}
          </Empty>
        ) : (
          <div className={current === null ? 'panes' : 'panes with-detail'}>
            <section aria-label={t.approvals.list} className="pane-list">
              <Group mb="xs" gap="xs" wrap="nowrap">
                <TextInput
                  ref={filter}
                  aria-label={t.filter}
                  placeholder={t.filter}
                  leftSection={<Icon name="search" size={15} />}
                  value={q}
                  onChange={(event) =>
                    void navigate({ search: (before) => ({ ...before, q: event.currentTarget.value }), replace: true })
                  }
                  flex={1}
                />
                {answered > 0 && (
                  <Button variant="default" size="sm" onClick={forgetAnswered}>
                    {t.approvals.clear}
                  </Button>
                )}
              </Group>
              <ul ref={list} className="rows">
                {shown.map((approval) => (
                  <Row
                    key={approval.approval_id}
                    approval={approval}
                    isCurrent={approval.approval_id === id}
                    isSelected={selected.has(approval.approval_id)}
                    onOpen={() => open(approval)}
                    {...(mayAnswer && { onToggle: () => toggle(approval) })}
                  />
                ))}
              </ul>
              {shown.length === 0 && <Text c="dimmed">{t.nothingMatches}</Text>}
              {chosen.length > 0 && (
                <Several
                  chosen={chosen}
                  seen={seen}
                  onAnswer={async (approved) => {
                    for (const each of chosen) {
                      await answering(each, { approved, reason: '', scope: 'once' });
                    }
                    setSelected(new Set());
                  }}
                />
              )}
            </section>
            <section aria-label={t.approvals.detail} className="pane-detail">
              {current === null ? (
                <Empty icon="approvals" title={t.approvals.choose}>
                  {t.approvals.chooseAbout}
                </Empty>
              ) : (
                <Paper withBorder p="md">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    mb="sm"
                    className="only-small"
                    leftSection={<Icon name="back" size={15} />}
                    onClick={() => void navigate({ search: (before) => ({ ...before, id: '' }) })}
                  >
                    {t.approvals.backToList}
                  </Button>
                  <Preview approval={current} />
                  <Decision
                    key={current.approval_id}
                    approval={current}
                    dangerous={tools?.find((tool) => tool.name === current.tool_name)?.danger !== 'safe'}
                    mayAnswer={mayAnswer}
                    read={read}
                    onlyOnce={!may('answer_approvals')}
                    onAnswer={(verdict) => answering(current, verdict)}
                    keys={keys}
                  />
                </Paper>
              )}
            </section>
          </div>
        )
      }
    </Loaded>
  );
}

function Row({
  approval,
  isCurrent,
  isSelected,
  onOpen,
  onToggle,
}: {
  approval: Approval;
  isCurrent: boolean;
  isSelected: boolean;
  onOpen: () => void;
  onToggle?: () => void;
}) {
  const pending = approval.state === 'pending';
  return (
    <li className={`row ${isCurrent ? 'current' : ''} ${pending ? '' : 'over'}`}>
      {onToggle !== undefined && (
        <Checkbox
          size="xs"
          aria-label={t.approvals.select(approval.tool_name, approval.agent_id)}
          checked={isSelected && pending}
          disabled={!pending}
          onChange={onToggle}
        />
      )}
      <button
        type="button"
        className="row-button"
        data-id={approval.approval_id}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onOpen}
      >
        <span className="row-main">
          <strong>
            <Untrusted mono>{approval.tool_name}</Untrusted>
          </strong>
          <span className="row-sub">
            <Untrusted>{approval.agent_id}</Untrusted>
          </span>
        </span>
        <span className="row-side">
          {pending ? <Countdown until={approval.expires_at} /> : <ApprovalBadge state={approval.state} />}
        </span>
      </button>
    </li>
  );
}

/** Several answers at once: only for one tool, and only after each preview was looked at. */
function Several({
  chosen,
  seen,
  onAnswer,
}: {
  chosen: Approval[];
  seen: ReadonlySet<string>;
  onAnswer: (approved: boolean) => Promise<void>;
}) {
  const [busy, setBusy] = useState(false);
  const sameTool = new Set(chosen.map((each) => each.tool_name)).size === 1;
  const unseen = chosen.filter((each) => !seen.has(each.approval_id)).length;
  const send = async (approved: boolean) => {
    setBusy(true);
    await onAnswer(approved);
    setBusy(false);
  };
  return (
    <Paper withBorder p="sm" mt="sm" role="group" aria-label={t.approvals.selected(chosen.length)}>
      <Text size="sm" mb="xs">
        {t.approvals.selected(chosen.length)}
        {!sameTool && ` ${t.approvals.onlyOneTool}`}
        {sameTool && unseen > 0 && ` ${t.approvals.lookFirst(unseen)}`}
      </Text>
      <Group gap="xs">
        <Button size="xs" loading={busy} disabled={!sameTool || unseen > 0} onClick={() => void send(true)}>
          {t.approvals.approveSeveral(chosen.length)}
        </Button>
        <Button size="xs" color="red" variant="outline" loading={busy} onClick={() => void send(false)}>
          {t.approvals.denySeveral(chosen.length)}
        </Button>
      </Group>
    </Paper>
  );
}
