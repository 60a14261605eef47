import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import type { GroupDetails } from '../../api/types';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { ReasonInput, withReason } from '../../ui/ReasonInput';
import { Problem } from '../../ui/States';
import { notifyUndoable } from '../../ui/undoable';

/** Changes the description of a group. */
export function DescribeGroup({ group, onClose }: { group: GroupDetails; onClose: () => void }) {
  const client = useQueryClient();
  const id = group.group_id;
  const [description, setDescription] = useState(group.description ?? '');
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const why = reason.trim();
  const body = { description: description.trim() === '' ? null : description.trim() };
  const describe = async (text: string | null, because: string) => {
    await answer(
      api.PATCH('/api/v1/groups/{group_id}', {
        params: { path: { group_id: id }, query: because === '' ? {} : { reason: because } },
        body: { description: text },
      }),
    );
    await client.invalidateQueries({ queryKey: ['groups'] });
  };
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await describe(body.description, why);
      notifyUndoable(t.groups.described, () => describe(group.description, t.undo.reason));
      onClose();
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t.groups.describe} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <Textarea
            label={t.groups.description}
            value={description}
            maxLength={2000}
            autosize
            minRows={2}
            data-autofocus
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <ReasonInput value={reason} onChange={setReason} />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={null}
              http={{
                method: 'PATCH',
                path: withReason(`/api/v1/groups/${encodeURIComponent(id)}`, why),
                body,
              }}
            />
            <Button type="submit" loading={busy}>
              {t.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
