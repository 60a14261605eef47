import { Alert, Button, Group, Loader, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { components } from '#schema';
import { answer, api } from '../../api/client';
import { t } from '../../strings';
import { Command, Copyable } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Loaded, Problem } from '../../ui/States';
import { Ago, formatNumber, Time, useNow } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import { Verdict } from './Faults';
import { FileCheck } from './FileCheck';
import './integrity.css';

type Verification = components['schemas']['Verification'];

/** Verifies the log, exports it, and verifies an exported file. */
export function IntegrityPage() {
  return (
    <>
      <PageHeader title={t.integrity.title} about={t.integrity.about} />
      <Stack gap="lg">
        <Section
          title={t.integrity.verify}
          about={t.integrity.verifyAbout}
          command={<Command cli={['audit', 'verify']} http={{ method: 'GET', path: '/api/v1/audit/verify' }} />}
        >
          <Verify />
        </Section>
        <Section
          title={t.integrity.signed}
          about={t.integrity.signedAbout}
          command={<Command cli={['audit', 'checkpoints']} http={{ method: 'GET', path: '/api/v1/audit/checkpoints' }} />}
        >
          <Checkpoints />
        </Section>
        <Section
          title={t.integrity.take}
          about={t.integrity.takeAbout}
          command={
            <Command
              cli={['audit', 'export', '--format', 'chains', '-o', 'chains.jsonl']}
              http={{ method: 'GET', path: '/api/v1/audit/chains' }}
            />
          }
        >
          <Button
            component="a"
            href="/api/v1/audit/chains"
            download
            variant="default"
            leftSection={<Icon name="download" size={16} />}
          >
            {t.integrity.download}
          </Button>
        </Section>
        <Section
          title={t.integrity.file}
          about={t.integrity.fileAbout}
          command={<Command cli={['audit', 'verify', 'chains.jsonl']} http={null} />}
        >
          <FileCheck />
        </Section>
      </Stack>
    </>
  );
}

function Section({ title, about, command, children }: { title: string; about: string; command: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <div className="fixed-width">{command}</div>
      </Group>
      <Text size="sm" c="dimmed" maw={760} mb="sm">
        {about}
      </Text>
      {children}
    </Paper>
  );
}

/** The last result is kept while the tab is open, so that visiting a record does not lose it. */
let last: { report: Verification; at: string } | null = null;

function Verify() {
  const [result, setResult] = useState(last);
  const [began, setBegan] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stop = useRef<AbortController | null>(null);
  const run = async () => {
    const mine = new AbortController();
    stop.current = mine;
    setBegan(Date.now());
    setError(null);
    setResult(null);
    try {
      const report = await answer(api.GET('/api/v1/audit/verify', { signal: mine.signal }));
      last = { report, at: new Date().toISOString() };
      setResult(last);
    } catch (refused) {
      if (!mine.signal.aborted) {
        setError(refused);
      }
    }
    setBegan(null);
  };
  return (
    <>
      {began === null ? (
        <Button onClick={() => void run()}>{t.integrity.run}</Button>
      ) : (
        <Group gap="sm" role="status">
          <Loader size="sm" aria-hidden="true" />
          <Elapsed since={began} />
          <Button size="compact-sm" variant="default" onClick={() => stop.current?.abort()}>
            {t.integrity.stop}
          </Button>
        </Group>
      )}
      {error !== null && <Problem error={error} retry={() => void run()} />}
      {result !== null && (
        <>
          <Verdict
            intact={t.integrity.intact}
            about={`${t.integrity.records(formatNumber(result.report.records))} ${t.integrity.checkpoints(formatNumber(result.report.checkpoints))}.`}
            faults={result.report.faults}
          />
          <Text size="xs" c="dimmed" mt={4} component="div">
            <Time at={result.at} />
          </Text>
        </>
      )}
    </>
  );
}

function Elapsed({ since }: { since: number }) {
  return <Text size="sm">{t.integrity.running(Math.max(0, Math.floor((useNow() - since) / 1000)))}</Text>;
}

function Checkpoints() {
  const query = useQuery({
    queryKey: ['checkpoints'],
    queryFn: () => answer(api.GET('/api/v1/audit/checkpoints')),
    refetchInterval: 30_000,
  });
  return (
    <Loaded query={query} lines={3}>
      {({ keys, places }) =>
        places.length === 0 ? (
          <Alert color="yellow" variant="light" icon={<Icon name="warning" />}>
            {t.integrity.noSigned}
          </Alert>
        ) : (
          <>
            <Table verticalSpacing={4} mb="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.integrity.place}</Table.Th>
                  <Table.Th>{t.integrity.lastKept}</Table.Th>
                  <Table.Th visibleFrom="sm">{t.integrity.failure}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {places.map((each) => (
                  <Table.Tr key={each.place}>
                    <Table.Td>
                      <Untrusted mono>{each.place}</Untrusted>
                      {each.failure !== null && (
                        <div className="only-small row-sub">
                          {t.integrity.failure}: <Untrusted>{each.failure}</Untrusted>
                        </div>
                      )}
                    </Table.Td>
                    <Table.Td>{each.last_kept === null ? t.never : <Ago at={each.last_kept} />}</Table.Td>
                    <Table.Td visibleFrom="sm">
                      {each.failure === null ? '–' : <Untrusted>{each.failure}</Untrusted>}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Text size="sm" fw={600} mb={4}>
              {t.integrity.keys}
            </Text>
            <Stack gap={6}>
              {keys.map((key) => (
                <Copyable key={key} text={key} label={t.integrity.keys} />
              ))}
            </Stack>
          </>
        )
      }
    </Loaded>
  );
}
