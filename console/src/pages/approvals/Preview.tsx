import { Anchor, Group, List, SimpleGrid, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, page } from '../../api/client';
import { queries } from '../../api/queries';
import type { Approval } from '../../api/types';
import { t } from '../../strings';
import { Arguments } from '../../ui/Arguments';
import { ApprovalBadge } from '../../ui/badges';
import { Difference, looksLikeDifference } from '../../ui/Difference';
import { Loaded } from '../../ui/States';
import { Ago, Countdown, Time } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';
import { SessionLink } from '../sessions/SessionLink';

/** Everything an approver needs: a preview of the effect, all arguments, the reason, the caller, earlier answers. */
export function Preview({ approval }: { approval: Approval }) {
  return (
    <div>
      <Group justify="space-between" align="flex-start" mb="sm">
        <Title order={2} size="h3">
          <Untrusted mono>{approval.tool_name}</Untrusted>
        </Title>
        <Group gap="xs">
          {approval.state === 'pending' && (
            <Text size="sm">
              {t.approvals.expiresIn} <Countdown until={approval.expires_at} />
            </Text>
          )}
          <ApprovalBadge state={approval.state} />
        </Group>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md" spacing="xs">
        <Fact name={t.approvals.agent}>
          <Anchor renderRoot={(props) => <Link to="/agents/$id" params={{ id: approval.agent_id }} {...props} />}>
            <Untrusted>{approval.agent_id}</Untrusted>
          </Anchor>
        </Fact>
        <Fact name={t.approvals.asker}>
          <Untrusted>{approval.principal}</Untrusted>
        </Fact>
        <Fact name={t.approvals.operation}>
          <Untrusted>{approval.operation}</Untrusted>
        </Fact>
        <Fact name={t.approvals.asked}>
          <Ago at={approval.asked_at} />
        </Fact>
        {approval.session_id !== null && (
          <Fact name={t.approvals.session}>
            <SessionLink id={approval.session_id} />
          </Fact>
        )}
        {approval.project_id !== null && (
          <Fact name={t.approvals.project}>
            <Untrusted>{approval.project_id}</Untrusted>
          </Fact>
        )}
      </SimpleGrid>
      <Title order={3} size="h5">
        {t.approvals.why}
      </Title>
      <List size="sm" mb="md">
        {(approval.causes.length > 0 ? approval.causes.map((cause) => cause.reason) : [approval.reason]).map((why) => (
          <List.Item key={why}>
            <Untrusted>{why}</Untrusted>
          </List.Item>
        ))}
      </List>
      {approval.preview !== null && (
        <>
          <Title order={3} size="h5" mb={4}>
            {t.approvals.preview}
          </Title>
          {looksLikeDifference(approval.preview) ? (
            <Difference text={approval.preview} label={t.approvals.preview} />
          ) : (
            <UntrustedBlock text={approval.preview} label={t.approvals.preview} />
          )}
        </>
      )}
      <Title order={3} size="h5" mt="md" mb={4}>
        {t.approvals.arguments}
      </Title>
      <AllArguments approval={approval} />
      <Answers approval={approval} />
      <Earlier approval={approval} />
    </div>
  );
}

/** All arguments: complete while the call waits; those of an ended call may be shortened. */
function AllArguments({ approval }: { approval: Approval }) {
  const waits = approval.state === 'pending';
  const whole = useQuery({ ...queries.heldCall(approval.approval_id), enabled: waits });
  if (waits) {
    return <Loaded query={whole}>{(held) => <ArgumentsOf approval={held} />}</Loaded>;
  }
  return (
    <>
      {whole.data?.state !== 'pending' && (
        <Text size="sm" c="dimmed" mb={4}>
          {t.approvals.afterwards}{' '}
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/activity" search={{ request_id: approval.request_id }} {...props} />}
          >
            {t.approvals.itsRecord}
          </Anchor>
        </Text>
      )}
      <ArgumentsOf approval={whole.data?.state === 'pending' ? whole.data : approval} />
    </>
  );
}

function ArgumentsOf({ approval }: { approval: Approval }) {
  return <Arguments value={approval.parameters as Record<string, unknown>} masked={approval.masked_characters} />;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}

function Answers({ approval }: { approval: Approval }) {
  return (
    <>
      {approval.approvals.length > 0 && (
        <Text size="sm" mt="md">
          {t.approvals.soFar(approval.approvals.length, approval.approvals_needed)}{' '}
          {approval.approvals.map((each) => each.by).join(', ')}
        </Text>
      )}
      {approval.answered_at !== null && (
        <Text size="sm" mt="md" role="status">
          {t.approvals.answered[approval.state]} <Untrusted>{approval.answered_by ?? ''}</Untrusted>{' '}
          <Time at={approval.answered_at} />
          {approval.answer_reason !== null && (
            <>
              {': '}
              <Untrusted>{approval.answer_reason}</Untrusted>
            </>
          )}
        </Text>
      )}
    </>
  );
}

/** Earlier answers for the same agent and tool. */
function Earlier({ approval }: { approval: Approval }) {
  const { data } = useQuery({
    queryKey: ['approvals', 'earlier', approval.agent_id, approval.tool_name],
    queryFn: () =>
      page(
        api.GET('/api/v1/approvals', {
          params: { query: { agent_id: approval.agent_id, tool_name: approval.tool_name, limit: 10 } },
        }),
      ),
  });
  const before = (data?.items ?? []).filter(
    (each) => each.approval_id !== approval.approval_id && each.state !== 'pending',
  );
  return (
    <div>
      <Title order={3} size="h5" mt="md" mb={4}>
        {t.approvals.earlier}
      </Title>
      {before.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.approvals.noEarlier}
        </Text>
      ) : (
        <List size="sm" listStyleType="none">
          {before.slice(0, 5).map((each) => (
            <List.Item key={each.approval_id}>
              <ApprovalBadge state={each.state} /> <Untrusted>{each.answered_by ?? ''}</Untrusted>{' '}
              <Ago at={each.answered_at ?? each.expires_at} />
            </List.Item>
          ))}
        </List>
      )}
    </div>
  );
}
