import { Alert, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '../../ui/notify';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import { queries } from '../../api/queries';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Problem } from '../../ui/States';
import { notifyUndoable } from '../../ui/undoable';
import { Untrusted } from '../../ui/Untrusted';
import { setPermissions } from './bulk';
import { changeOf, draft, useDraft, wantedOf, type DraftCell, type Wanted } from './draft';
import { Simulation } from './Simulation';

const SHOWN = 200;
/** The maximum number of agents for undo, because the previous permissions are fetched agent by agent. */
const UNDOABLE_AGENTS = 100;

/** The changes of the draft, their simulation, and the button that applies all of them or none. */
export function DraftPanel({ version }: { version: number }) {
  const stored = useDraft();
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const moved = stored.version !== version;
  const body = {
    changes: stored.cells.map(changeOf),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    expected_version: stored.version,
  };
  const apply = async () => {
    setBusy(true);
    setError(null);
    try {
      const before = await presentOf(client, stored.cells);
      await answer(api.POST('/api/v1/permissions/bulk', { body: body as never }));
      draft.discard();
      await client.invalidateQueries({ queryKey: ['permissions'] });
      const done = t.access.applied(stored.cells.length);
      if (before === null) {
        notifications.show({ message: done });
      } else {
        notifyUndoable(done, () => setPermissions(client, before.map(changeOf), t.undo.reason));
      }
    } catch (refused) {
      setError(refused);
      if (refused instanceof ApiError && refused.status === 409) {
        await client.invalidateQueries({ queryKey: ['permissions'] });
      }
      setBusy(false);
    }
  };
  return (
    <Paper withBorder p="md" mt="md" component="section" aria-label={t.access.draft} className="draft-panel">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {t.access.draftOf(stored.cells.length)}
          </Title>
          <Group gap="xs">
            <Command cli={null} http={{ method: 'POST', path: '/api/v1/permissions/bulk', body }} />
            <Button variant="default" size="compact-md" onClick={() => draft.discard()}>
              {t.access.discard}
            </Button>
          </Group>
        </Group>
        {moved && (
          <Alert color="orange" variant="light" title={t.access.moved}>
            <Text size="sm">{t.access.movedAbout}</Text>
            <Button mt="xs" size="compact-sm" variant="default" onClick={() => draft.rebase(version)}>
              {t.access.rebase}
            </Button>
          </Alert>
        )}
        <ul className="draft-list">
          {stored.cells.slice(0, SHOWN).map((cell) => (
            <li key={`${cell.agent} ${cell.tool}`}>
              <span className={cell.wanted.kind === 'allow' ? 'change added' : 'change removed'}>
                <span className="change-sign">{cell.wanted.kind === 'allow' ? '+' : '−'}</span>{' '}
                <Untrusted>{cell.agent}</Untrusted> · <Untrusted mono>{cell.tool}</Untrusted>:{' '}
                {t.permissions.wanted[cell.wanted.kind]}
                <TermsText wanted={cell.wanted} />
              </span>{' '}
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => draft.set(version, [{ ...cell, wanted: null }])}
                aria-label={t.access.dropOf(cell.agent, cell.tool)}
              >
                {t.access.drop}
              </Button>
            </li>
          ))}
        </ul>
        {stored.cells.length > SHOWN && <Text size="sm">{t.access.more(stored.cells.length - SHOWN)}</Text>}
        <Simulation changes={body.changes} />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void apply();
          }}
        >
          <Group align="flex-end">
            <TextInput
              label={t.reason}
              value={reason}
              maxLength={2000}
              onChange={(event) => setReason(event.currentTarget.value)}
              className="grow"
            />
            <Button type="submit" loading={busy} disabled={moved}>
              {t.access.apply(stored.cells.length)}
            </Button>
          </Group>
        </form>
        {error !== null && <Problem error={error} />}
      </Stack>
    </Paper>
  );
}

function TermsText({ wanted }: { wanted: Wanted }) {
  if (wanted.kind !== 'allow') {
    return null;
  }
  const { requires_approval: approval, condition, expires_at: until, max_uses: uses } = wanted.terms;
  const terms = t.permissions.terms;
  return (
    <Text span size="sm" c="dimmed">
      {approval === true && ` · ${terms.requires_approval}`}
      {condition !== undefined && (
        <>
          {` · ${terms.condition}: `}
          <Untrusted mono>{condition}</Untrusted>
        </>
      )}
      {until !== undefined && ` · ${terms.expires_at}: ${new Date(until).toLocaleString()}`}
      {uses !== undefined && ` · ${terms.max_uses}: ${uses}`}
    </Text>
  );
}

/** The current state of the cells of a draft, so that it can be undone; `null` if there are too many agents. */
async function presentOf(client: QueryClient, cells: DraftCell[]): Promise<DraftCell[] | null> {
  const agents = [...new Set(cells.map((cell) => cell.agent))];
  if (agents.length > UNDOABLE_AGENTS) {
    return null;
  }
  const present = new Map<string, Awaited<ReturnType<typeof permissionsOf>>>();
  for (const agent of agents) {
    present.set(agent, await permissionsOf(client, agent));
  }
  return cells.map(({ agent, tool }) => ({
    agent,
    tool,
    wanted: wantedOf(
      present
        .get(agent)
        ?.permissions.find((each) => each.tool_name === tool)
        ?.sources.find((source) => source.source === 'agent'),
    ),
  }));
}

function permissionsOf(client: QueryClient, agent: string) {
  return client.fetchQuery({ ...queries.permissions(agent), staleTime: 0 });
}
