import { Anchor, Button, Group, Paper, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries';
import type { Tool } from '../../api/types';
import { useMay, useWho } from '../../app/session';
import { t } from '../../strings';
import { DangerBadge } from '../../ui/badges';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { Empty, Loaded } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { OutcomePanel } from './Outcome';
import { useCall } from './run';
import { isInvalid, planOf } from './schema';
import { JsonText, ObjectFields } from './SchemaField';
import { VerdictPanel, type TriedCall } from './Verdict';

const route = getRouteApi('/try');

/** Chooses a tool and an agent; both are in the URL. */
export function CallTab() {
  const { tool, agent } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const who = useWho();
  const tools = useQuery(queries.tools);
  const agents = useQuery({ ...queries.agents, enabled: may('read_permissions') });
  const change = (part: { tool?: string; agent?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const caller = who.agent_id ?? agent;
  const known = (agents.data ?? []).map((each) => each.agent_id);
  return (
    <Loaded query={tools}>
      {(all) => {
        const chosen = all.find((each) => each.name === tool || each.aliases.includes(tool ?? ''));
        return (
          <>
            <div className="filters">
              <Select
                label={t.approvals.tool}
                placeholder={t.try.chooseTool}
                searchable
                limit={50}
                nothingFoundMessage={t.shell.nothingFound}
                value={chosen?.name ?? null}
                onChange={(value) => change({ tool: value ?? '' })}
                data={[...new Set(all.map((each) => each.name))]}
              />
              {who.agent_id === undefined ? (
                <Select
                  label={t.try.asAgent}
                  placeholder={t.try.chooseAgent}
                  searchable
                  limit={50}
                  nothingFoundMessage={t.shell.nothingFound}
                  value={agent ?? null}
                  onChange={(value) => change({ agent: value ?? '' })}
                  data={agent === undefined || known.includes(agent) ? known : [agent, ...known]}
                />
              ) : (
                <TextInput label={t.try.asAgent} value={who.agent_id} readOnly />
              )}
            </div>
            {tool !== undefined && chosen === undefined ? (
              <Empty icon="tools" title={t.tools.gone}>
                {t.tools.goneAbout}
              </Empty>
            ) : chosen === undefined || caller === undefined ? (
              <Empty icon="try" title={t.try.choose}>
                {t.try.chooseAbout}
              </Empty>
            ) : (
              <CallForm key={`${chosen.name} ${caller}`} tool={chosen} agent={caller} />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function CallForm({ tool, agent }: { tool: Tool; agent: string }) {
  const may = useMay();
  const who = useWho();
  const plan = planOf(tool.input_schema);
  const [asJson, setAsJson] = useState(plan.kind !== 'object');
  const [values, setValues] = useState<unknown>({});
  const [operation, setOperation] = useState('run');
  const [project, setProject] = useState('');
  const [sure, setSure] = useState(false);
  const { made, state, busy, run } = useCall();
  const isObject = values !== null && typeof values === 'object' && !Array.isArray(values);
  const valid = isObject && !isInvalid(values) && operation.trim() !== '';
  const call: TriedCall = {
    agent_id: agent,
    tool_name: tool.name,
    operation: operation.trim(),
    ...(project.trim() !== '' && { project_id: project.trim() }),
    parameters: valid ? (values as Record<string, unknown>) : {},
  };
  const [settled] = useDebouncedValue(valid ? JSON.stringify(call) : '', 400);
  const mayCall = may('call_for_any_agent') || (may('call_as_itself') && who.agent_id === agent);
  const change = (next: unknown) => {
    setValues(next ?? {});
    setSure(false);
  };
  const submit = () => {
    if (tool.danger === 'dangerous' && !sure) {
      setSure(true);
    } else {
      setSure(false);
      void run(call);
    }
  };
  return (
    <div className="try-panes">
      <Paper withBorder p="md" component="section" aria-label={t.try.call}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Stack gap="sm">
            <Group justify="space-between" align="flex-start" wrap="nowrap">
              <div>
                <Title order={2} size="h4">
                  <Anchor
                    inherit
                    renderRoot={(props) => <Link to="/tools/$name" params={{ name: tool.name }} {...props} />}
                  >
                    <Untrusted mono>{tool.name}</Untrusted>
                  </Anchor>
                </Title>
                <Text size="sm" c="dimmed" component="div" className="prewrap">
                  <Untrusted>{tool.description}</Untrusted>
                </Text>
              </div>
              <DangerBadge danger={tool.danger} />
            </Group>
            {plan.kind === 'object' && (
              <SegmentedControl
                aria-label={t.try.inputAs}
                size="xs"
                value={asJson ? 'json' : 'form'}
                onChange={(value) => setAsJson(value === 'json')}
                disabled={isInvalid(values) || !isObject}
                data={[
                  { value: 'form', label: t.try.form },
                  { value: 'json', label: t.try.json },
                ]}
              />
            )}
            {asJson || plan.kind !== 'object' ? (
              <JsonText label={t.approvals.arguments} value={values} onChange={change} minRows={6} />
            ) : plan.fields.length === 0 ? (
              <Text c="dimmed">{t.arguments.none}</Text>
            ) : (
              <ObjectFields plan={plan} value={values} onChange={change} />
            )}
            <details>
              <summary>{t.try.more}</summary>
              <Group grow align="flex-start">
                <TextInput
                  label={t.approvals.operation}
                  value={operation}
                  maxLength={100}
                  onChange={(event) => setOperation(event.currentTarget.value)}
                />
                <TextInput
                  label={t.approvals.project}
                  value={project}
                  maxLength={100}
                  onChange={(event) => setProject(event.currentTarget.value)}
                />
              </Group>
            </details>
            {mayCall ? (
              <Group justify="space-between">
                <Command
                  cli={null}
                  http={{ method: 'POST', path: '/api/v1/tools/execute', body: { request_id: 'REQUEST_ID', ...call } }}
                />
                <Button
                  type="submit"
                  loading={busy}
                  disabled={!valid || state?.kind === 'pending'}
                  leftSection={<Icon name="try" size={16} />}
                  {...(sure && { color: 'red' })}
                >
                  {sure ? t.try.runSure : t.try.run}
                </Button>
              </Group>
            ) : (
              <Text size="sm" c="dimmed">
                {t.try.mayNotCall}
              </Text>
            )}
            {sure && (
              <Text size="sm" role="status">
                {t.try.again}
              </Text>
            )}
          </Stack>
        </form>
      </Paper>
      <Stack>
        {settled === '' ? (
          <Text c="dimmed">{t.try.incomplete}</Text>
        ) : (
          <VerdictPanel call={JSON.parse(settled) as TriedCall} />
        )}
        {made !== null && state !== undefined && <OutcomePanel made={made} state={state} />}
      </Stack>
    </div>
  );
}
