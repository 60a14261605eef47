import { Alert, Autocomplete, NativeSelect, NumberInput, PasswordInput, Select, SimpleGrid, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { queries } from '../../api/queries';
import type { TrustLevel } from '../../api/types';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';

/** The settings in the URL, so that a link opens the same agent and model. */
export interface Address {
  agent?: string;
  provider?: string;
  model?: string;
  trust?: string;
  session?: string;
}

/** The settings that are not in the URL, because they are long or secret. */
export interface Private {
  system: string;
  ownKey: string;
  maxTokens: number | undefined;
  thinkingTokens: number | undefined;
}

const TRUST: TrustLevel[] = ['supervised', 'guided', 'autonomous'];
const STALE = 60_000;

export const providersQuery = {
  queryKey: ['providers'],
  staleTime: STALE,
  queryFn: () => answer(api.GET('/api/v1/providers')),
};

/** The agent, the model and the trust level. */
export function Settings({
  address,
  own,
  ownAgents,
  disabled,
  onAddress,
  onOwn,
}: {
  address: Address;
  own: Private;
  /** The agents that a key is bound to; `null` if it may use any. */
  ownAgents: string[] | null;
  disabled: boolean;
  onAddress: (part: Address) => void;
  onOwn: (part: Partial<Private>) => void;
}) {
  const may = useMay();
  const { data: agents } = useQuery({ ...queries.agents, enabled: ownAgents === null && may('read_permissions') });
  const { data: providers } = useQuery(providersQuery);
  const provider = address.provider ?? '';
  const usable = providers?.find((each) => each.name === provider);
  const models = useQuery({
    queryKey: ['models', provider, own.ownKey !== ''],
    staleTime: STALE,
    retry: false,
    enabled: usable !== undefined && (usable.key_configured || usable.name === 'ollama' || own.ownKey !== ''),
    queryFn: () =>
      answer(
        api.GET('/api/v1/providers/{provider}/models', {
          params: {
            path: { provider: provider as never },
            ...(own.ownKey !== '' && { header: { 'X-Provider-Key': own.ownKey } as never }),
          },
        }),
      ),
  });
  const names = ownAgents ?? (agents ?? []).map((each) => each.agent_id);
  return (
    <>
      {providers !== undefined && !providers.some((each) => each.key_configured || each.name === 'ollama') && (
        <Alert color="yellow" variant="light" mb="sm" icon={<Icon name="warning" />} title={t.chat.noProviders}>
          {t.chat.noProvidersAbout}
        </Alert>
      )}
      <div className="filters chat-settings">
        {names.length > 0 ? (
          <Select
            label={t.chat.agent}
            searchable
            value={address.agent ?? null}
            data={names}
            disabled={disabled || (ownAgents?.length ?? 0) === 1}
            onChange={(agent) => onAddress({ agent: agent ?? '' })}
          />
        ) : (
          <TextInput
            label={t.chat.agent}
            value={address.agent ?? ''}
            disabled={disabled}
            onChange={(event) => onAddress({ agent: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          label={t.chat.provider}
          value={provider}
          disabled={disabled}
          data={[
            ...(provider === '' ? [{ value: '', label: '–' }] : []),
            ...(providers ?? []).map((each) => ({
              value: each.name,
              label: each.key_configured || each.name === 'ollama' ? each.name : t.chat.noKey(each.name),
            })),
          ]}
          onChange={(event) => onAddress({ provider: event.currentTarget.value, model: '' })}
        />
        <Autocomplete
          label={t.chat.model}
          value={address.model ?? ''}
          disabled={disabled}
          data={[...new Set((models.data ?? []).map((each) => each.id))]}
          limit={50}
          onChange={(model) => onAddress({ model })}
        />
        <NativeSelect
          label={t.chat.trust}
          value={address.trust ?? ''}
          disabled={disabled}
          data={[
            { value: '', label: t.chat.trustOf },
            ...TRUST.map((each) => ({ value: each, label: t.agents.trustLevels[each] })),
          ]}
          onChange={(event) => onAddress({ trust: event.currentTarget.value })}
        />
      </div>
      {models.error !== null && (
        <Text size="sm" mb="sm" role="status">
          {t.chat.modelsFailed}
        </Text>
      )}
      <details className="chat-more">
        <summary>{t.chat.more}</summary>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" mb="sm">
          <TextInput
            label={t.chat.session}
            description={t.chat.sessionAbout}
            value={address.session ?? ''}
            disabled={disabled}
            maxLength={100}
            onChange={(event) => onAddress({ session: event.currentTarget.value })}
          />
          <PasswordInput
            label={t.chat.ownKey}
            description={t.chat.ownKeyAbout}
            value={own.ownKey}
            autoComplete="off"
            disabled={disabled}
            visibilityToggleButtonProps={{ 'aria-label': t.login.showKey }}
            onChange={(event) => onOwn({ ownKey: event.currentTarget.value.trim() })}
          />
          <NumberInput
            label={t.chat.maxTokens}
            value={own.maxTokens ?? ''}
            min={1}
            allowDecimal={false}
            disabled={disabled}
            onChange={(value) => onOwn({ maxTokens: typeof value === 'number' ? value : undefined })}
          />
          <NumberInput
            label={t.chat.thinkingTokens}
            value={own.thinkingTokens ?? ''}
            min={1}
            allowDecimal={false}
            disabled={disabled}
            onChange={(value) => onOwn({ thinkingTokens: typeof value === 'number' ? value : undefined })}
          />
        </SimpleGrid>
        <Textarea
          label={t.chat.system}
          value={own.system}
          autosize
          minRows={2}
          maxRows={10}
          disabled={disabled}
          onChange={(event) => onOwn({ system: event.currentTarget.value })}
        />
      </details>
    </>
  );
}
