import { Alert, Code, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { components } from '#schema';
import { answer, api } from '../../api/client';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { DecisionBadge } from '../../ui/badges';
import { Icon } from '../../ui/Icon';
import { Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';

export interface TriedCall {
  agent_id: string;
  tool_name: string;
  operation: string;
  project_id?: string;
  parameters: Record<string, unknown>;
}

type Verdict = Pick<components['schemas']['Explanation'], 'decision' | 'reason' | 'rules' | 'problem'>;

/** The decision about a call. Users who may read permissions see every rule, others only the outcome. */
async function decide(call: TriedCall, explains: boolean): Promise<Verdict> {
  if (explains) {
    return answer(api.POST('/api/v1/permissions/explain', { body: call }));
  }
  const verdict = await answer(api.POST('/api/v1/tools/validate', { body: call }));
  return {
    decision: verdict.status === 'denied' ? 'denied' : verdict.requires_approval === true ? 'needs_approval' : 'allowed',
    reason: verdict.reason ?? null,
    rules: [],
    problem: null,
  };
}

/** The decision about a call before it is made: nothing runs, nothing is recorded. */
export function VerdictPanel({ call }: { call: TriedCall }) {
  const may = useMay();
  const explains = may('read_permissions');
  const query = useQuery({
    queryKey: ['permissions', 'verdict', explains, call],
    queryFn: () => decide(call, explains),
    staleTime: 0,
    gcTime: 10_000,
    placeholderData: (before) => before,
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t.try.decision}>
      <Title order={2} size="h4" mb={4}>
        {t.try.decision}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t.try.decisionAbout}
      </Text>
      <div aria-live="polite">
        <Loaded query={query} lines={3}>
          {(verdict) => <Decided verdict={verdict} />}
        </Loaded>
      </div>
    </Paper>
  );
}

function Decided({ verdict }: { verdict: Verdict }) {
  return (
    <>
      <DecisionBadge decision={verdict.decision} />
      {verdict.reason !== null && (
        <Text size="sm" mt="xs">
          <Untrusted>{verdict.reason}</Untrusted>
        </Text>
      )}
      {verdict.problem !== null && (
        <Alert mt="sm" color="orange" variant="light" icon={<Icon name="warning" />} title={verdict.decision === 'denied' ? t.try.badArguments : t.try.wouldFail}>
          <Untrusted>{verdict.problem.message}</Untrusted>
        </Alert>
      )}
      {verdict.rules.length > 0 && (
        <Table mt="sm" verticalSpacing={4} aria-label={t.try.rules}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.try.rule}</Table.Th>
              <Table.Th>{t.try.says}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {verdict.rules.map((rule, number) => (
              <Table.Tr key={number}>
                <Table.Td>{(t.try.ruleNames as Record<string, string>)[rule.rule] ?? rule.rule}</Table.Td>
                <Table.Td>
                  <DecisionBadge decision={rule.decision} /> {rule.code !== null && <Code>{rule.code}</Code>}
                  {rule.reason !== null && rule.reason !== verdict.reason && (
                    <Text size="sm">
                      <Untrusted>{rule.reason}</Untrusted>
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
