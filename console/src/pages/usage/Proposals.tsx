import { Alert, Badge, Button, Checkbox, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries';
import { proposals, type Proposals as Found } from '../../api/usage';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Empty, Loaded, Problem } from '../../ui/States';
import { formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { draft, type DraftCell, type Terms } from '../access/draft';

/** A proposal; its change names an agent or a group. */
interface Proposal {
  kind: Found['proposals'][number]['kind'];
  why: string;
  calls: number;
  change: { agent_id?: string | null; group_id?: string | null; tool_name: string; condition?: string | null };
}

/** A proposal as a cell of the matrix' draft; those for groups have no cell there. */
function cellOf({ change }: Proposal): DraftCell | null {
  const { agent_id: agent, tool_name: tool, allowed, clear, ...terms } = change as Proposal['change'] & Record<string, unknown>;
  if (agent == null) {
    return null;
  }
  if (clear === true) {
    return { agent, tool, wanted: { kind: 'clear' } };
  }
  if (allowed === false) {
    return { agent, tool, wanted: { kind: 'refuse' } };
  }
  const known = Object.fromEntries(Object.entries(terms).filter(([, value]) => value != null && value !== false)) as Terms;
  return { agent, tool, wanted: { kind: 'allow', terms: known } };
}

function keyOf({ kind, change }: Proposal): string {
  return JSON.stringify([kind, change]);
}

/** Unused permissions, and conditions that all recorded calls meet. They are applied in the matrix, as a draft. */
export function Proposals({ days, agent, tool }: { days: number; agent: string | undefined; tool: string | undefined }) {
  const query = useQuery(proposals(days));
  return (
    <Loaded query={query}>
      {(found) => {
        const shown = (found.proposals as Proposal[]).filter(
          ({ change }) =>
            (agent === undefined || change.agent_id === agent) && (tool === undefined || change.tool_name === tool),
        );
        return shown.length === 0 ? (
          <Empty icon="check" title={t.usage.noProposals}>
            {t.usage.noProposalsAbout(found.days)}
          </Empty>
        ) : (
          <List key={days} shown={shown} found={found} />
        );
      }}
    </Loaded>
  );
}

function List({ shown, found }: { shown: Proposal[]; found: Found }) {
  const may = useMay();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const mayChange = may('change_permissions');
  const draftable = shown.filter((each) => cellOf(each) !== null);
  const selected = shown.filter((each) => chosen.has(keyOf(each)));
  const choose = (proposal: Proposal, on: boolean) => {
    const next = new Set(chosen);
    if (on) {
      next.add(keyOf(proposal));
    } else {
      next.delete(keyOf(proposal));
    }
    setChosen(next);
  };
  const open = async () => {
    setBusy(true);
    setError(null);
    try {
      const { version } = await client.fetchQuery({ ...queries.matrix, staleTime: 0 });
      draft.set(version, selected.map(cellOf).filter((cell) => cell !== null));
      const agents = [...new Set(selected.map(({ change }) => change.agent_id))];
      await navigate({ to: '/access', search: agents.length === 1 && agents[0] != null ? { agent: agents[0] } : {} });
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <>
      <Text size="sm" mb="sm">
        {t.usage.proposalsAbout(found.days)}
      </Text>
      {found.left_out && (
        <Alert color="yellow" variant="light" mb="sm">
          {t.usage.leftOut}
        </Alert>
      )}
      {found.not_looked_at !== null && (
        <Alert color="yellow" variant="light" mb="sm">
          <Untrusted>{found.not_looked_at}</Untrusted>
        </Alert>
      )}
      <Group justify="space-between" mb="sm">
        {mayChange ? (
          <Group gap="md">
            <Checkbox
              label={t.usage.chooseAll}
              checked={draftable.length > 0 && selected.length === draftable.length}
              indeterminate={selected.length > 0 && selected.length < draftable.length}
              onChange={(event) => setChosen(new Set(event.currentTarget.checked ? draftable.map(keyOf) : []))}
            />
            <Button size="sm" disabled={selected.length === 0} loading={busy} onClick={() => void open()}>
              {t.usage.openDraft(selected.length)}
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t.usage.notAllowed}
          </Text>
        )}
        <Command
          cli={null}
          http={{
            method: 'POST',
            path: '/api/v1/permissions/simulate',
            body: { changes: (selected.length > 0 ? selected : shown).map(({ change }) => change) },
          }}
        />
      </Group>
      {error !== null && <Problem error={error} />}
      <ul className="rows" aria-label={t.usage.tabs.proposals}>
        {shown.map((proposal) => {
          const { kind, why, calls, change } = proposal;
          return (
            <li key={keyOf(proposal)} className="row proposal">
              {mayChange && (
                <Checkbox
                  aria-label={t.usage.choose(change.agent_id ?? change.group_id ?? '', change.tool_name)}
                  checked={chosen.has(keyOf(proposal))}
                  disabled={cellOf(proposal) === null}
                  onChange={(event) => choose(proposal, event.currentTarget.checked)}
                />
              )}
              <div className="row-main">
                <span>
                  {change.agent_id == null && `${t.permissions.ofGroup} `}
                  <Untrusted>{change.agent_id ?? change.group_id ?? ''}</Untrusted> · <Untrusted mono>{change.tool_name}</Untrusted>
                </span>
                <span className="row-sub">
                  <Untrusted>{why}</Untrusted> {calls > 0 && t.usage.fromCalls(formatNumber(calls))}
                  {cellOf(proposal) === null && ` ${t.usage.ofGroup}`}
                </span>
                {change.condition != null && (
                  <span className="row-sub">
                    <Untrusted mono>{change.condition}</Untrusted>
                  </span>
                )}
              </div>
              <Badge variant="light" color={kind === 'unused' ? 'orange' : 'cyan'} radius="sm" className="sign">
                {t.usage.kinds[kind]}
              </Badge>
            </li>
          );
        })}
      </ul>
    </>
  );
}
