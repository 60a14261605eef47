import { Alert, Button, Group, Loader, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { newestRecords } from '../../api/audit';
import { answer, api } from '../../api/client';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Command, Copyable } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { Problem } from '../../ui/States';
import { Untrusted } from '../../ui/Untrusted';
import { snippets } from './snippets';

/** Creates a key, shows the snippets to paste, and waits for the first call. */
export function Connect({ agent }: { agent: string }) {
  const may = useMay();
  const [key, setKey] = useState<string | null>(null);
  const [since, setSince] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const body = { role: 'agent' as const, agent_id: agent, name: t.connect.keyName };
  const make = async () => {
    setBusy(true);
    setError(null);
    try {
      const made = await answer(api.POST('/api/v1/keys', { body }));
      setKey(made.key);
      setSince(made.created_at);
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Stack maw={860}>
      <Text>{t.connect.about}</Text>
      {key === null ? (
        <Group>
          {may('manage_keys') ? (
            <>
              <Button loading={busy} leftSection={<Icon name="key" size={16} />} onClick={() => void make()}>
                {t.connect.make}
              </Button>
              <Command
                cli={['key', 'create', '--role', 'agent', '--agent', agent]}
                http={{ method: 'POST', path: '/api/v1/keys', body }}
              />
            </>
          ) : (
            <Text c="dimmed">{t.connect.notAllowed}</Text>
          )}
        </Group>
      ) : (
        <Paper withBorder p="md">
          <Title order={3} size="h5" mb="xs">
            {t.keysPage.once}
          </Title>
          <Copyable text={key} label={t.keysPage.key} />
        </Paper>
      )}
      {error !== null && <Problem error={error} />}
      <Tabs defaultValue="claude-code">
        <Tabs.List mb="sm">
          {snippets('', '').map((each) => (
            <Tabs.Tab key={each.id} value={each.id}>
              {each.name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets(key ?? '$TOOLGATE_KEY', agent).map((each) => (
          <Tabs.Panel key={each.id} value={each.id}>
            <Text size="sm" mb="xs">
              {each.where}
            </Text>
            <Copyable text={each.text} label={each.name} />
          </Tabs.Panel>
        ))}
      </Tabs>
      {since !== null && may('read_agent_audit') && <FirstCall agent={agent} since={since} />}
    </Stack>
  );
}

/** Shows "seen" when the agent has made a call, allowed or not. */
function FirstCall({ agent, since }: { agent: string; since: string }) {
  const { data } = useQuery({
    ...newestRecords({ agent_id: agent, start_date: since }, 1),
    refetchInterval: (query) => ((query.state.data?.items.length ?? 0) > 0 ? false : 2000),
  });
  const seen = data?.items[0];
  return seen === undefined ? (
    <Group role="status">
      <Loader size="sm" />
      <Text>{t.connect.waiting}</Text>
    </Group>
  ) : (
    <Alert color="green" variant="light" icon={<Icon name="check" />} title={t.connect.seen} role="status">
      <Untrusted mono>{seen.tool_name}</Untrusted> {seen.client !== null && <Untrusted>{`(${seen.client})`}</Untrusted>}
    </Alert>
  );
}
