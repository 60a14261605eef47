import { Alert, Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/errors';
import { t } from '../strings';
import { Icon, type IconName } from './Icon';

/** Placeholder lines while content loads. */
export function Loading({ lines = 6 }: { lines?: number }) {
  return (
    <div className="loading" role="status" aria-label={t.states.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} style={{ width: `${95 - ((line * 17) % 40)}%` }} />
      ))}
    </div>
  );
}

/** An empty state, with a hint. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md" className="empty">
      <span className="empty-icon">
        <Icon name={icon} size={32} />
      </span>
      <Title order={2} size="h4" ta="center">
        {title}
      </Title>
      <Text c="dimmed" ta="center" maw={520} component="div">
        {children}
      </Text>
    </Stack>
  );
}

/** An error with its remediation. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const known = error instanceof ApiError ? error : null;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} title={known?.message ?? t.errors.page}>
      <Text size="sm">{known?.remediation ?? t.errors.retry}</Text>
      {known !== null && known.correlationId !== '' && (
        <Text size="xs" mt={4}>
          {t.errors.correlation} <Code>{known.correlationId}</Code>
        </Text>
      )}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {t.errors.again}
          </Button>
        </Group>
      )}
    </Alert>
  );
}

/** A query in all of its states. Existing data stays visible while newer data is fetched, with an error above it. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending' | 'refetch'>;
  lines?: number;
  children: (data: T) => ReactNode;
}) {
  return (
    <>
      {query.error !== null && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.data !== undefined
        ? children(query.data)
        : query.error === null && <Loading {...(lines !== undefined && { lines })} />}
    </>
  );
}
