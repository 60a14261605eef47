import { Alert, Anchor, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '../../ui/notify';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { UndoPreview } from '#schema';
import type { AuditRecord } from '../../api/types';
import { undoChange, undoPreview, undoState } from '../../api/undo';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Difference } from '../../ui/Difference';
import { Icon } from '../../ui/Icon';
import { Loaded, Problem } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

const UNDOABLE_TOOLS = ['file_write', 'file_delete', 'memory_save', 'memory_delete'];

/** Whether the change of a record can be undone, and the button that does it. */
export function Undo({ record }: { record: AuditRecord }) {
  const may = useMay();
  const changes = record.kind === 'call' && record.allowed && UNDOABLE_TOOLS.includes(record.tool_name);
  const query = useQuery({ ...undoState(record.id), enabled: changes });
  const [opened, setOpened] = useState(false);
  const undo = query.data?.undo;
  return (
    <>
      {undo?.undoable === true && (may('undo_changes') || may('call_for_any_agent')) && (
        <Button size="xs" variant="default" onClick={() => setOpened(true)}>
          {t.undoCall.action}
        </Button>
      )}
      {undo?.undoable === false && (
        <Text size="sm" c="dimmed">
          {t.undoCall.cannot} <Untrusted>{undo.reason ?? ''}</Untrusted>
        </Text>
      )}
      {record.undoes !== null && <RecordLink id={record.undoes} text={t.undoCall.undoes(record.undoes)} />}
      {undo?.undone_by.map((id) => (
        <RecordLink key={id} id={String(id)} text={t.undoCall.undoneBy(String(id))} />
      ))}
      {opened && <UndoQuestion record={record} onClose={() => setOpened(false)} />}
    </>
  );
}

// The page of a record finds it by its request, which is not known here; the list shows it by its number.
function RecordLink({ id, text }: { id: string; text: string }) {
  const query = useQuery(undoState(Number(id)));
  return query.data === undefined ? (
    <Text size="sm">{text}</Text>
  ) : (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/activity/$id" params={{ id }} search={{ request: query.data.request_id }} {...props} />
      )}
    >
      {text}
    </Anchor>
  );
}

function UndoQuestion({ record, onClose }: { record: AuditRecord; onClose: () => void }) {
  const preview = useQuery(undoPreview(record.id));
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      const became = await undoChange(record.id, reason.trim());
      notifications.show({ message: became === 'held' ? t.undoCall.held : t.undoCall.done });
      await queries.invalidateQueries({ queryKey: ['audit'] });
      onClose();
    } catch (refused) {
      setError(refused);
      await preview.refetch();
    } finally {
      setBusy(false);
    }
  };
  const body = reason.trim() === '' ? {} : { reason: reason.trim() };
  return (
    <Modal opened onClose={onClose} title={t.undoCall.title} size="xl" closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <Loaded query={preview} lines={4}>
            {(found) => <Versions preview={found} />}
          </Loaded>
          <TextInput
            label={t.reason}
            description={t.reasonAbout}
            value={reason}
            maxLength={300}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command
              cli={['audit', 'undo', String(record.id), ...(reason.trim() === '' ? [] : ['--reason', reason.trim()])]}
              http={{ method: 'POST', path: `/api/v1/audit/logs/${record.id}/undo`, body }}
            />
            <Group>
              <Button variant="default" onClick={onClose}>
                {t.cancel}
              </Button>
              <Button type="submit" color="red" loading={busy} disabled={preview.data?.undoable !== true}>
                {t.undoCall.action}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What would change; if something has changed since, all three versions. */
function Versions({ preview }: { preview: UndoPreview }) {
  const { differences } = preview;
  return (
    <>
      <Text size="sm">
        {preview.effect === 'delete' ? t.undoCall.deletes : t.undoCall.restores} <Untrusted mono>{preview.target ?? ''}</Untrusted>
      </Text>
      {preview.decision === 'requires_approval' && <Text size="sm">{t.undoCall.needsApproval}</Text>}
      {preview.decision === 'denied' && (
        <Alert color="red" variant="light" icon={<Icon name="cross" />} title={t.activity.wouldRefuse}>
          <Untrusted>{preview.decision_reason ?? ''}</Untrusted>
        </Alert>
      )}
      {preview.undoable ? (
        differences !== undefined && <Difference text={differences.undo} label={t.undoCall.would} />
      ) : (
        <>
          <Alert color="red" variant="light" icon={<Icon name="warning" />} title={t.undoCall.changed}>
            <Untrusted>{preview.reason ?? ''}</Untrusted>
          </Alert>
          {differences !== undefined && (
            <>
              <Text size="sm">{t.undoCall.call}</Text>
              <Difference text={differences.change} label={t.undoCall.call} />
              <Text size="sm">{t.undoCall.since}</Text>
              <Difference text={differences.since} label={t.undoCall.since} />
            </>
          )}
        </>
      )}
      {preview.differences_hidden !== undefined && (
        <Text size="sm" c="dimmed">
          <Untrusted>{preview.differences_hidden}</Untrusted>
        </Text>
      )}
    </>
  );
}
