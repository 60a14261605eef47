import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { t } from '../strings';
import { Command, type HttpRequest } from './Command';
import { ReasonInput } from './ReasonInput';
import { Problem } from './States';

/** A question before something that cannot be undone by a click; the reason goes into the records. */
export function Confirm({
  title,
  action,
  children,
  command,
  onConfirm,
  onClose,
}: {
  title: string;
  action: string;
  children: ReactNode;
  command: (reason: string) => { cli: (string | false)[] | null; http: HttpRequest };
  onConfirm: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    setError(null);
    try {
      await onConfirm(reason.trim());
      onClose();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t.close }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        <Stack>
          <Text size="sm" component="div">
            {children}
          </Text>
          <ReasonInput value={reason} onChange={setReason} autoFocus />
          {error !== null && <Problem error={error} />}
          <Group justify="space-between">
            <Command {...command(reason.trim())} />
            <Group>
              <Button variant="default" onClick={onClose}>
                {t.cancel}
              </Button>
              <Button type="submit" color="red" loading={busy}>
                {action}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
