import { Alert, Anchor, Button, Code, Group, Loader, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { newestRecords } from '../../api/audit';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { Problem } from '../../ui/States';
import { Countdown } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import type { CallState, MadeCall } from './run';

/** The outcome of a call, with a link to its record. */
export function OutcomePanel({ made, state }: { made: MadeCall; state: CallState }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={t.try.outcome}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {t.try.outcome}
        </Title>
        {(state.kind === 'ended' || state.kind === 'denied') && <RecordLink made={made} />}
      </Group>
      <div role="status">
        <State state={state} />
      </div>
    </Paper>
  );
}

function State({ state }: { state: CallState }) {
  const may = useMay();
  switch (state.kind) {
    case 'pending':
      return (
        <>
          <Group gap="xs">
            <Loader size="sm" aria-hidden="true" />
            <Text size="sm">
              {state.call.status === 'running' ? t.try.running : t.try.waiting}
              {state.call.expires_at !== undefined && (
                <>
                  {' '}
                  ({t.approvals.expiresIn} <Countdown until={state.call.expires_at} />)
                </>
              )}
            </Text>
          </Group>
          {state.call.approval_id !== undefined && may('answer_approvals') && (
            <Anchor
              size="sm"
              renderRoot={(props) => <Link to="/approvals" search={{ id: state.call.approval_id ?? '' }} {...props} />}
            >
              {t.try.toApproval}
            </Anchor>
          )}
        </>
      );
    case 'ended':
      return <Ended call={state.call} />;
    case 'denied':
      return (
        <Alert color="red" variant="light" icon={<Icon name="cross" />} title={t.try.refused}>
          <Text size="sm">
            <Untrusted>{state.call.reason}</Untrusted>
          </Text>
          <Text size="sm" mt="xs">
            <Untrusted>{state.call.suggestion}</Untrusted>
          </Text>
        </Alert>
      );
    case 'error':
      return <Problem error={state.error} />;
  }
}

function Ended({ call }: { call: (CallState & { kind: 'ended' })['call'] }) {
  const { result } = call;
  const failure = 'error' in result ? result.error : null;
  const { artifacts = [] } = result;
  return (
    <>
      {failure !== null ? (
        <Alert mb="sm" color="orange" variant="light" icon={<Icon name="warning" />} title={t.try.failed}>
          <Text size="sm" component="div">
            <Code>{failure.code}</Code> <Untrusted>{failure.message}</Untrusted>
          </Text>
          <Text size="sm" mt="xs">
            <Untrusted>{failure.remediation}</Untrusted>
          </Text>
        </Alert>
      ) : (
        <Alert
          mb="sm"
          color={result.success ? 'green' : 'orange'}
          variant="light"
          icon={<Icon name={result.success ? 'check' : 'warning'} />}
          title={result.success ? t.try.completed : t.try.unsuccessful}
        />
      )}
      {(failure === null || result.data !== failure.message) && (
        <UntrustedBlock text={result.data === '' ? t.try.noOutput : result.data} label={t.try.output} />
      )}
      {result.structured !== undefined && (
        <details>
          <summary>{t.try.structured}</summary>
          <UntrustedBlock text={JSON.stringify(result.structured, null, 2)} label={t.try.structured} />
        </details>
      )}
      {artifacts.length > 0 && (
        <Text size="sm" mt="xs" component="div">
          {t.try.artifacts} <Untrusted>{artifacts.map((each) => each.name).join(', ')}</Untrusted>
        </Text>
      )}
    </>
  );
}

/** The record of the call; it is written with the response, so only a few attempts are made to fetch it. */
function RecordLink({ made }: { made: MadeCall }) {
  const may = useMay();
  const { data } = useQuery({
    ...newestRecords({ request_id: made.request, agent_id: made.agent }, 1),
    enabled: may('read_agent_audit'),
    refetchInterval: ({ state }) => (state.data?.items[0] === undefined && state.dataUpdateCount < 10 ? 1000 : false),
  });
  const record = data?.items[0];
  return record === undefined ? null : (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <Link to="/activity/$id" params={{ id: String(record.id) }} search={{ request: record.request_id }} {...props} />
      )}
    >
      {t.sessions.toRecord}
    </Button>
  );
}
