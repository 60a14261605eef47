import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PolicyBundle } from '../../api/types';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { formatBytes, formatNumber, Time } from '../../ui/time';
import { Untrusted, UntrustedBlock } from '../../ui/Untrusted';

type Capability = PolicyBundle['capabilities'][number];

const LISTS = [
  'allowedTools',
  'allowedPaths',
  'blockedPaths',
  'allowedCommands',
  'blockedCommands',
  'allowedDomains',
] as const;
/** A policy bundle as sentences. */
export function Limits({ bundle }: { bundle: PolicyBundle }) {
  const rules = new Map((bundle.approvalRules ?? []).map((rule) => [rule.approvalRuleId, rule]));
  return (
    <Stack gap="lg">
      <Text size="sm" c="dimmed">
        {t.limits.about}
      </Text>
      {bundle.capabilities.length === 0 ? (
        <Text>{t.limits.nothing}</Text>
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
          {bundle.capabilities.map((capability, number) => (
            <Paper withBorder p="md" key={number} component="section">
              <Title order={2} size="h5" mb="xs">
                <Untrusted>{(t.limits.names as Record<string, string>)[capability.name] ?? capability.name}</Untrusted>
              </Title>
              {(t.limits.names as Record<string, string>)[capability.name] !== undefined && (
                <Text size="xs" c="dimmed" className="mono">
                  {capability.name}
                </Text>
              )}
              <Terms capability={capability} rules={rules} />
            </Paper>
          ))}
        </SimpleGrid>
      )}
      {bundle.llmPolicy !== undefined && <Models policy={bundle.llmPolicy} />}
      {(bundle.mcpServers ?? []).length > 0 && (
        <section>
          <Title order={2} size="h4" mb="xs">
            {t.servers.title}
          </Title>
          {(bundle.mcpServers ?? []).map((server, number) => (
            <Paper withBorder p="md" mb="xs" key={number}>
              <Text fw={600} component="div">
                <Untrusted>{server.name}</Untrusted>
              </Text>
              <Text size="sm" c="dimmed" component="div">
                <Untrusted mono>{server.url}</Untrusted>
              </Text>
              {server.allowedTools !== undefined && <Names about={t.limits.lists.allowedTools} names={server.allowedTools} />}
            </Paper>
          ))}
        </section>
      )}
      <Text size="sm">
        {t.limits.until} <Time at={bundle.expiresAt} /> · {t.limits.version}{' '}
        <Untrusted mono>{bundle.policyBundleVersion}</Untrusted>
      </Text>
      <details>
        <summary>{t.limits.json}</summary>
        <UntrustedBlock text={JSON.stringify(bundle, null, 2)} label={t.limits.json} />
      </details>
    </Stack>
  );
}

function Terms({
  capability,
  rules,
}: {
  capability: Capability;
  rules: Map<string, NonNullable<PolicyBundle['approvalRules']>[number]>;
}) {
  const lists = LISTS.filter((name) => capability[name] !== undefined);
  const rule = capability.approvalRuleId === undefined ? undefined : rules.get(capability.approvalRuleId);
  const { maxFileSizeBytes: file, maxOutputBytes: output, requiresApproval: asks = false } = capability;
  const free = lists.length === 0 && file === undefined && output === undefined && !asks;
  return (
    <Stack gap={6} mt="xs">
      {free && (
        <Text size="sm" c="dimmed">
          {capability.name === 'BackendTool.Invoke' ? t.limits.noRemoteTools : t.limits.free}
        </Text>
      )}
      {asks && (
        <Line icon="person">
          {t.permissions.terms.requires_approval}
          {rule !== undefined && (
            <>
              {': '}
              <Untrusted>{rule.title}</Untrusted>
              <Text size="xs" c="dimmed" component="div">
                <Untrusted>{rule.description ?? ''}</Untrusted>
              </Text>
            </>
          )}
        </Line>
      )}
      {lists.map((name) => (
        <Names key={name} about={t.limits.lists[name]} names={capability[name] ?? []} />
      ))}
      {file !== undefined && <Line>{t.limits.fileSize(formatBytes(file))}</Line>}
      {output !== undefined && <Line>{t.limits.output(formatBytes(output))}</Line>}
    </Stack>
  );
}

function Models({ policy }: { policy: NonNullable<PolicyBundle['llmPolicy']> }) {
  const { maxInputTokens: input, maxOutputTokens: output, maxSessionTokens: whole } = policy;
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t.limits.models}
      </Title>
      <Paper withBorder p="md">
        <Stack gap={6}>
          {policy.allowedModels !== undefined && <Names about={t.limits.allowedModels} names={policy.allowedModels} />}
          {input !== undefined && <Line>{t.limits.inputTokens(formatNumber(input))}</Line>}
          {output !== undefined && <Line>{t.limits.outputTokens(formatNumber(output))}</Line>}
          {whole !== undefined && <Line>{t.limits.sessionTokens(formatNumber(whole))}</Line>}
        </Stack>
      </Paper>
    </section>
  );
}

function Line({ icon, children }: { icon?: 'person'; children: ReactNode }) {
  return (
    <Text size="sm" component="div">
      {icon !== undefined && <Icon name={icon} size={14} />} {children}
    </Text>
  );
}

function Names({ about, names }: { about: string; names: string[] }) {
  return (
    <div>
      <Text size="sm">{about}</Text>
      {names.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t.limits.none}
        </Text>
      ) : (
        <ul className="names">
          {names.map((name, number) => (
            <li key={number}>
              <Untrusted mono>{name}</Untrusted>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
