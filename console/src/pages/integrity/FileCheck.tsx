import { Alert, Button, Progress, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { formatNumber } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { Verdict } from './Faults';
import { checkFile, DamagedFile, type FileReport } from './file';

type State =
  | { kind: 'none' }
  | { kind: 'checking'; lines: number; share: number }
  | { kind: 'checked'; report: FileReport }
  | { kind: 'damaged'; why: string }
  | { kind: 'stopped' };

/** Verifies an exported chain in the browser. */
export function FileCheck() {
  const [name, setName] = useState('');
  const [state, setState] = useState<State>({ kind: 'none' });
  const [over, setOver] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const input = useRef<HTMLInputElement>(null);
  if (!('subtle' in crypto)) {
    return (
      <Alert color="yellow" variant="light" icon={<Icon name="warning" />} title={t.integrity.noCrypto}>
        <Command cli={['audit', 'verify', 'chains.jsonl']} http={null} />
      </Alert>
    );
  }
  const check = async (file: File) => {
    stop.current?.abort();
    const mine = new AbortController();
    stop.current = mine;
    setName(file.name);
    setState({ kind: 'checking', lines: 0, share: 0 });
    const become = (next: State) => {
      if (stop.current === mine) {
        setState(next);
      }
    };
    try {
      const report = await checkFile(file, (lines, share) => become({ kind: 'checking', lines, share }), mine.signal);
      become({ kind: 'checked', report });
    } catch (problem) {
      become(
        mine.signal.aborted
          ? { kind: 'stopped' }
          : { kind: 'damaged', why: problem instanceof DamagedFile ? problem.message : t.integrity.damaged.header },
      );
    }
  };
  return (
    <>
      <div
        className={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const file = event.dataTransfer.files[0];
          if (file !== undefined) {
            void check(file);
          }
        }}
      >
        <input
          ref={input}
          type="file"
          className="visually-hidden"
          aria-label={t.integrity.file}
          tabIndex={-1}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            if (file !== undefined) {
              void check(file);
            }
          }}
        />
        <Button variant="default" onClick={() => input.current?.click()}>
          {t.integrity.choose}
        </Button>
        {name !== '' && (
          <Text size="sm">
            <Untrusted>{name}</Untrusted>
          </Text>
        )}
      </div>
      {state.kind === 'checking' && (
        <div role="status">
          <Progress value={state.share * 100} mt="sm" aria-label={t.integrity.file} />
          <Text size="sm" mt={4}>
            {t.integrity.checking(formatNumber(state.lines), Math.floor(state.share * 100))}
          </Text>
          <Button mt="xs" size="compact-sm" variant="default" onClick={() => stop.current?.abort()}>
            {t.chat.stop}
          </Button>
        </div>
      )}
      {state.kind === 'stopped' && (
        <Text size="sm" mt="sm" role="status">
          {t.integrity.cancelled}
        </Text>
      )}
      {state.kind === 'damaged' && (
        <Alert mt="sm" color="red" variant="light" icon={<Icon name="warning" />} title={t.integrity.damaged.title} role="alert">
          <Text size="sm">
            {state.why} {t.integrity.damaged.next}
          </Text>
        </Alert>
      )}
      {state.kind === 'checked' && (
        <Verdict
          intact={t.integrity.fileIntact}
          about={`${t.integrity.records(formatNumber(state.report.records))} ${t.integrity.anchors(formatNumber(state.report.anchors))}. ${t.integrity.noCheckpoints}`}
          faults={state.report.faults}
        />
      )}
    </>
  );
}
