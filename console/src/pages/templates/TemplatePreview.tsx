import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { Template } from '../../api/types';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { ReasonInput } from '../../ui/ReasonInput';
import { Loaded, Problem } from '../../ui/States';
import { notifyUndoable } from '../../ui/undoable';
import { Untrusted } from '../../ui/Untrusted';
import { setPermissions } from '../access/bulk';
import { changeFor } from '../access/draft';
import type { PermissionHolder } from '../agents/PermissionDialog';
import { Affected } from '../groups/Affected';
import { addedTools, previewForAgent, previewForGroup, type Effect, type PreviewRow } from './preview';

/** Previews and applies a template to an agent or a group. */
export function TemplatePreview({
  template,
  holder,
  onApplied,
}: {
  template: Template;
  holder: PermissionHolder;
  onApplied?: () => void;
}) {
  const isAgent = 'agent_id' in holder;
  const agent = useQuery({ ...queries.permissions(isAgent ? holder.agent_id : ''), enabled: isAgent });
  const group = useQuery({ ...queries.group(isAgent ? '' : holder.group_id), enabled: !isAgent });
  return isAgent ? (
    <Loaded query={agent} lines={3}>
      {(found) => (
        <Apply
          template={template}
          holder={holder}
          rows={previewForAgent(template, found, Date.now())}
          onApplied={onApplied}
        />
      )}
    </Loaded>
  ) : (
    <Loaded query={group} lines={3}>
      {(found) => (
        <>
          <Affected members={found.members} />
          <Apply
            template={template}
            holder={holder}
            rows={previewForGroup(template, found, Date.now())}
            onApplied={onApplied}
          />
        </>
      )}
    </Loaded>
  );
}

function Apply({
  template,
  holder,
  rows,
  onApplied,
}: {
  template: Template;
  holder: PermissionHolder;
  rows: PreviewRow[];
  onApplied: (() => void) | undefined;
}) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const why = reason.trim();
  const added = addedTools(rows);
  const { template_id: id } = template;
  const grants = added.map((tool) => changeFor(holder, tool, { kind: 'allow', terms: {} }));
  const reasonField = why === '' ? {} : { reason: why };
  const reasonWords = why === '' ? [] : ['--reason', why];
  const apply = async () => {
    setBusy(true);
    setError(null);
    try {
      let granted = added;
      if ('agent_id' in holder) {
        const done = await answer(
          api.POST('/api/v1/agents/{agent_id}/template', {
            params: { path: { agent_id: holder.agent_id } },
            body: { template: id, ...reasonField },
          }),
        );
        granted = done.added;
        await client.invalidateQueries({ queryKey: ['permissions'] });
      } else {
        await setPermissions(client, grants, why);
      }
      const back = granted.map((tool) => changeFor(holder, tool, { kind: 'clear' }));
      notifyUndoable(t.templates.applied(granted.length), () => setPermissions(client, back, t.undo.reason));
      setReason('');
      onApplied?.();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <Stack gap="sm">
        <Text size="sm" fw={600}>
          {t.templates.would(added.length)}
        </Text>
        <Table verticalSpacing={4} aria-label={t.templates.preview}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.approvals.tool}</Table.Th>
              <Table.Th>{t.templates.effect}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.tool}>
                <Table.Td>
                  <Untrusted mono>{row.tool}</Untrusted>
                </Table.Td>
                <Table.Td>
                  <EffectText row={row} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <ReasonInput value={reason} onChange={setReason} />
        {error !== null && <Problem error={error} />}
        <Group justify="space-between">
          <Command
            cli={
              'agent_id' in holder
                ? ['template', 'apply', holder.agent_id, id, ...reasonWords]
                : ['groups', 'grant', holder.group_id, ...added, ...reasonWords]
            }
            http={
              'agent_id' in holder
                ? {
                    method: 'POST',
                    path: `/api/v1/agents/${encodeURIComponent(holder.agent_id)}/template`,
                    body: { template: id, ...reasonField },
                  }
                : { method: 'POST', path: '/api/v1/permissions/bulk', body: { changes: grants, ...reasonField } }
            }
          />
          <Button type="submit" loading={busy} disabled={added.length === 0}>
            {t.agents.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const SIGNS: Record<Effect, string> = { adds: '+', renews: '+', has: '=', refused: '−' };

function EffectText({ row }: { row: PreviewRow }) {
  const changed = row.effect === 'adds' || row.effect === 'renews';
  return (
    <div className={changed ? 'change added' : row.effect === 'refused' ? 'change removed' : 'change'}>
      <span className="change-sign">{SIGNS[row.effect]}</span> {t.templates.effects[row.effect]}
      {changed && row.refusedBy.length > 0 ? (
        <Text size="xs" c="dimmed" component="div">
          {t.templates.refusedByGroup} <Untrusted>{row.refusedBy.join(', ')}</Untrusted>
        </Text>
      ) : (
        changed &&
        row.grantedBy.length > 0 && (
          <Text size="xs" c="dimmed" component="div">
            {t.templates.throughGroup} <Untrusted>{row.grantedBy.join(', ')}</Untrusted>
          </Text>
        )
      )}
    </div>
  );
}
