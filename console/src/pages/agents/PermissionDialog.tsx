import { Anchor, Autocomplete, Button, Checkbox, Group, Modal, NumberInput, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { Permission } from '../../api/types';
import { t } from '../../strings';
import { Command, type HttpRequest } from '../../ui/Command';
import { ReasonInput, withReason } from '../../ui/ReasonInput';
import { Problem } from '../../ui/States';
import { localTime } from '../../ui/time';
import { notifyUndoable } from '../../ui/undoable';
import { Untrusted } from '../../ui/Untrusted';
import { setPermissions } from '../access/bulk';
import { changeFor, wantedOf } from '../access/draft';

type Wanted = 'allow' | 'refuse' | 'clear';

/** The holder of a permission. */
export type PermissionHolder = { agent_id: string } | { group_id: string };

/**
 * Allows, refuses or clears a tool for an agent or a group, with all terms. Saving replaces the whole permission, so all
 * are shown.
 */
export function PermissionDialog({
  holder,
  tool,
  own,
  affected,
  onClose,
}: {
  holder: PermissionHolder;
  tool: string | null;
  own: Permission | null;
  /** Shows the agents that the change affects. */
  affected?: ReactNode;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const { data: tools } = useQuery(queries.tools);
  const about =
    'agent_id' in holder
      ? { kind: 'agent' as const, id: holder.agent_id }
      : { kind: 'group' as const, id: holder.group_id };
  const [name, setName] = useState(tool ?? '');
  const [wanted, setWanted] = useState<Wanted>(own !== null && !own.allowed ? 'refuse' : 'allow');
  const [approval, setApproval] = useState(own?.requires_approval ?? false);
  const [condition, setCondition] = useState(own?.condition ?? '');
  const [until, setUntil] = useState(localTime(own?.expires_at ?? null));
  const [uses, setUses] = useState<number | string>(own?.max_uses ?? '');
  const [notes, setNotes] = useState(own?.notes ?? '');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);

  const path =
    about.kind === 'agent'
      ? `/api/v1/permissions/${encodeURIComponent(about.id)}/${encodeURIComponent(name)}`
      : `/api/v1/groups/${encodeURIComponent(about.id)}/permissions/${encodeURIComponent(name)}`;
  const why = reason.trim() === '' ? {} : { reason: reason.trim() };
  const expires = until === '' ? null : new Date(until).toISOString();
  const body =
    wanted === 'refuse'
      ? { allowed: false, ...why }
      : {
          allowed: true,
          ...(approval && { requires_approval: true }),
          ...(condition.trim() !== '' && { condition: condition.trim() }),
          ...(condition.trim() !== '' &&
            condition.trim() === own?.condition &&
            own.condition_examples !== null && { condition_examples: own.condition_examples }),
          ...(expires !== null && { expires_at: expires }),
          ...(typeof uses === 'number' && { max_uses: uses }),
          ...(notes.trim() !== '' && { notes: notes.trim() }),
          ...why,
        };
  const http: HttpRequest =
    wanted === 'clear'
      ? { method: 'DELETE', path: withReason(path, reason.trim()) }
      : { method: 'PUT', path, body };
  const reasonWords = reason.trim() === '' ? [] : ['--reason', reason.trim()];
  const words = about.kind === 'agent' ? [] : ['groups'];
  const cli =
    wanted === 'allow'
      ? [
          ...words,
          'grant',
          about.id,
          name,
          approval && '--approval',
          ...(condition.trim() === '' ? [] : ['--if', condition.trim()]),
          ...(expires === null ? [] : ['--until', expires]),
          ...(typeof uses === 'number' ? ['--uses', String(uses)] : []),
          ...(notes.trim() === '' ? [] : ['--notes', notes.trim()]),
          ...reasonWords,
        ]
      : wanted === 'refuse' && about.kind === 'group'
        ? null // the command line refuses tools only to agents
        : [...words, 'revoke', about.id, name, wanted === 'refuse' && '--deny', ...reasonWords];

  const send = () => {
    if (about.kind === 'agent') {
      const target = { agent_id: about.id, tool_name: name };
      return wanted === 'clear'
        ? answer(api.DELETE('/api/v1/permissions/{agent_id}/{tool_name}', { params: { path: target, query: why } }))
        : answer(api.PUT('/api/v1/permissions/{agent_id}/{tool_name}', { params: { path: target }, body: body as never }));
    }
    const target = { group_id: about.id, tool_name: name };
    return wanted === 'clear'
      ? answer(api.DELETE('/api/v1/groups/{group_id}/permissions/{tool_name}', { params: { path: target, query: why } }))
      : answer(api.PUT('/api/v1/groups/{group_id}/permissions/{tool_name}', { params: { path: target }, body: body as never }));
  };
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await send();
      await client.invalidateQueries({ queryKey: ['permissions'] });
      await client.invalidateQueries({ queryKey: ['groups'] });
      const before = changeFor(holder, name, wantedOf(own ?? undefined));
      notifyUndoable(t.permissions.saved(name, about.id), () => setPermissions(client, [before], t.undo.reason));
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t.permissions.title} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <Text size="sm">
            {t.permissions.holders[about.kind]} <Untrusted>{about.id}</Untrusted>
          </Text>
          <Autocomplete
            label={t.approvals.tool}
            value={name}
            onChange={setName}
            readOnly={tool !== null}
            required
            data={[...new Set((tools ?? []).map((each) => each.name))]}
            limit={30}
            data-autofocus
          />
          <SegmentedControl
            aria-label={t.permissions.state}
            value={wanted}
            onChange={(value) => setWanted(value as Wanted)}
            data={(['allow', 'refuse', 'clear'] as const).map((each) => ({
              value: each,
              label: t.permissions.wanted[each],
              disabled: each === 'clear' && own === null,
            }))}
          />
          <Text size="sm" c="dimmed">
            {t.permissions.wantedAbout[about.kind][wanted]}
          </Text>
          {wanted === 'allow' && (
            <>
              <Checkbox
                label={t.permissions.terms.requires_approval}
                checked={approval}
                onChange={(event) => setApproval(event.currentTarget.checked)}
              />
              <Textarea
                label={t.permissions.terms.condition}
                description={t.permissions.conditionAbout}
                value={condition}
                autosize
                minRows={1}
                maxLength={2000}
                classNames={{ input: 'mono' }}
                placeholder={'params.path.startsWith("src/")'}
                onChange={(event) => setCondition(event.currentTarget.value)}
              />
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link
                    to="/try"
                    search={{ view: 'condition', condition: condition.trim() }}
                    target="_blank"
                    {...props}
                  />
                )}
              >
                {t.permissions.tryCondition}
              </Anchor>
              <Group grow align="flex-start">
                <TextInput
                  type="datetime-local"
                  label={t.permissions.terms.expires_at}
                  value={until}
                  onChange={(event) => setUntil(event.currentTarget.value)}
                />
                <NumberInput
                  label={t.permissions.terms.max_uses}
                  value={uses}
                  min={1}
                  allowDecimal={false}
                  onChange={setUses}
                  hideControls
                />
              </Group>
              <TextInput label={t.permissions.notes} value={notes} onChange={(event) => setNotes(event.currentTarget.value)} />
            </>
          )}
          <ReasonInput value={reason} onChange={setReason} />
          {affected}
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command cli={cli} http={http} />
            <Button type="submit" loading={busy} disabled={name.trim() === ''}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
