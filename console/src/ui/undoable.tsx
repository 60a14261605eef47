import { Button, Group } from '@mantine/core';
import { notifications } from './notify';
import { useState } from 'react';
import { t } from '../strings';

/** Shows a notification of a change, with a button that undoes it. */
export function notifyUndoable(message: string, undo: () => Promise<unknown>): void {
  notifications.show({ autoClose: 30_000, message: <Undoable message={message} undo={undo} /> });
}

function Undoable({ message, undo }: { message: string; undo: () => Promise<unknown> }) {
  const [state, setState] = useState<'open' | 'busy' | 'undone' | 'failed'>('open');
  const take = async () => {
    setState('busy');
    try {
      await undo();
      setState('undone');
    } catch {
      setState('failed');
    }
  };
  return (
    <Group gap="xs">
      <span>{state === 'undone' ? t.undo.done : state === 'failed' ? t.undo.failed : message}</span>
      {(state === 'open' || state === 'busy') && (
        <Button size="compact-sm" variant="default" loading={state === 'busy'} onClick={() => void take()}>
          {t.undo.action}
        </Button>
      )}
    </Group>
  );
}
