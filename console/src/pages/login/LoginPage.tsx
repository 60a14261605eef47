import { Alert, Anchor, Button, Center, Divider, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { WhoAmI } from '../../api/types';
import { signOnProblem } from '../../app/ask';
import { session } from '../../app/session';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';

function sentence(code: string | null): string | null {
  return code === null ? null : ((t.login.signOnProblems as Record<string, string>)[code] ?? null);
}

/**
 * The link to the identity provider, if one is configured. `aside` opens it in another tab, so that text typed into the
 * page is kept.
 */
export function SingleSignOn({ aside = false }: { aside?: boolean }) {
  const { data } = useQuery({
    queryKey: ['sign-on'],
    queryFn: () => answer(api.GET('/api/v1/console/sign-on')),
    staleTime: Infinity,
  });
  if (data?.url === undefined) {
    return null;
  }
  const here = window.location.pathname + window.location.search;
  const isReturnable = /^\/console\/[\w.~:@+=&,/*%?-]*$/.test(here) && !here.startsWith('/console/login');
  const wanted = aside || !isReturnable ? '/console/' : here;
  return (
    <>
      <Button
        component="a"
        href={`${data.url}?${new URLSearchParams({ return: wanted })}`}
        {...(aside ? { target: '_blank', rel: 'noopener' } : {})}
      >
        {t.login.signOn}
      </Button>
      <Divider label={t.login.or} />
    </>
  );
}

/** Asks for a key and exchanges it for a cookie; the key is not stored. */
export function LoginForm({ onDone }: { onDone: (who: WhoAmI) => void }) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const logIn = async () => {
    setBusy(true);
    setProblem(null);
    try {
      onDone(await answer(api.POST('/api/v1/console/session', { body: { key: key.trim() } })));
    } catch (refused) {
      setProblem(refused instanceof ApiError ? refused.message : t.errors.unreachable);
    } finally {
      setBusy(false);
      setKey('');
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void logIn();
      }}
    >
      <Stack>
        <PasswordInput
          label={t.login.key}
          description={t.login.keyAbout}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="current-password"
          placeholder="tg_…"
          error={problem}
          required
          withAsterisk={false}
          autoFocus
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t.login.showKey }}
        />
        <Button type="submit" loading={busy} disabled={key.trim() === ''}>
          {t.login.action}
        </Button>
      </Stack>
    </form>
  );
}

export function LoginPage({ reason }: { reason: string | null }) {
  useDocumentTitle(`${t.login.title} · ${t.product}`);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={420} maw="100%" shadow="sm">
        <Stack>
          <img src="/console/assets/icon.svg" alt="" width={44} height={44} />
          <div>
            <Title order={1} size="h2">
              {t.login.title}
            </Title>
            <Text c="dimmed" size="sm">
              {t.login.about}
            </Text>
          </div>
          {reason !== null && (
            <Alert color="blue" variant="light" icon={<Icon name="clock" />}>
              {reason}
            </Alert>
          )}
          {reason === null && sentence(signOnProblem) !== null && (
            <Alert color="red" variant="light" icon={<Icon name="warning" />}>
              {sentence(signOnProblem)}
            </Alert>
          )}
          <SingleSignOn />
          <LoginForm onDone={session.begin} />
          <Text size="xs" c="dimmed">
            {t.login.where} <code>~/.toolgate/admin.key</code>. <Anchor href="/docs" size="xs" underline="always">{t.login.docs}</Anchor>
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}
