import { Alert, Anchor, Button, Group, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { queries } from '../../api/queries';
import { useMay, useWho } from '../../app/session';
import { useShortcuts } from '../../app/shortcuts';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { PageHeader } from '../../ui/PageHeader';
import { Empty } from '../../ui/States';
import { conversation, useConversation } from './conversation';
import { Gauge } from './Gauge';
import { MessageView } from './Messages';
import { providersQuery, Settings, type Address, type Private } from './Settings';
import './chat.css';

const route = getRouteApi('/chat');
/** Within this distance from the end of the page, new text is scrolled into view. */
const NEAR_END = 180;

/** The unsent draft and settings that are not in the URL; they survive the rebuild of the page after a new log-in. */
const kept: { draft: string; own: Private } = {
  draft: '',
  own: { system: '', ownKey: '', maxTokens: undefined, thinkingTokens: undefined },
};

/** A conversation with a model that uses the tools of an agent. */
export function ChatPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const who = useWho();
  const owner = `${who.tenant_id} ${who.role} ${who.name}`;
  useEffect(() => conversation.belongsTo(owner), [owner]);
  const state = useConversation();
  const [own, setOwn] = useState(kept.own);
  const [draft, setDraft] = useState(kept.draft);
  const [missing, setMissing] = useState<string | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const { data: tools } = useQuery(queries.tools);
  const { data: providers } = useQuery(providersQuery);
  const ownAgents = useMemo(
    () => (who.agent_id != null ? [who.agent_id] : may('chat_as_named_agents') ? (who.agents ?? state.status?.agents ?? []) : null),
    // eslint-disable-next-line react-hooks/exhaustive-deps -- rights change only with who is logged in
    [who, state.status],
  );
  const dangerous = useMemo(
    () => new Set((tools ?? []).filter((each) => each.danger === 'dangerous').map((each) => each.name)),
    [tools],
  );
  const known = providers?.filter((each) => each.key_configured || each.name === 'ollama') ?? [];
  const address: Address = {
    ...search,
    ...(search.agent === undefined && ownAgents?.length === 1 && { agent: ownAgents[0]! }),
    ...(search.provider === undefined && known.length === 1 && { provider: known[0]!.name }),
  };
  const change = (part: Address) => {
    setMissing(null);
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  };
  const type = (text: string) => {
    kept.draft = text;
    setDraft(text);
  };
  const send = () => {
    if (state.running || draft.trim() === '') {
      return;
    }
    const lacking = (['agent', 'provider', 'model'] as const).find((name) => (address[name] ?? '') === '');
    if (lacking !== undefined) {
      setMissing(t.chat.missing[lacking]);
      return;
    }
    setMissing(null);
    conversation.send(draft, {
      ...own,
      agent: address.agent,
      provider: address.provider ?? '',
      model: address.model ?? '',
      trust: address.trust,
      session: address.session,
    });
    type('');
    requestAnimationFrame(() => window.scrollTo({ top: document.documentElement.scrollHeight }));
  };
  useScrollToEnd(state);
  useShortcuts({ '/': () => input.current?.focus() });
  const mayApprove = state.status?.may_approve ?? false;
  return (
    <>
      <PageHeader title={t.chat.title} about={t.chat.about}>
        {state.messages.length > 0 && (
          <Button size="xs" variant="default" leftSection={<Icon name="plus" size={15} />} onClick={() => conversation.reset()}>
            {t.chat.fresh}
          </Button>
        )}
        <Command
          cli={[
            'chat',
            ...(address.agent ? ['--agent', address.agent] : []),
            ...(address.provider ? ['--provider', address.provider] : []),
            ...(address.model ? ['--model', address.model] : []),
            ...(address.trust ? ['--trust', address.trust] : []),
            ...(address.session ? ['--session', address.session] : []),
          ]}
          http={null}
        />
      </PageHeader>
      <Settings
        address={address}
        own={own}
        ownAgents={ownAgents}
        disabled={state.running}
        onAddress={change}
        onOwn={(part) => {
          kept.own = { ...own, ...part };
          setOwn(kept.own);
        }}
      />
      <div className="chat">
        <div role="log" aria-label={t.chat.log} aria-busy={state.running}>
          {state.messages.length === 0 ? (
            <Empty icon="chat" title={t.chat.none}>
              {t.chat.noneAbout}
            </Empty>
          ) : (
            <ol className="chat-messages">
              {state.messages.map((message, at) => (
                <MessageView key={at} message={message} dangerous={dangerous} mayApprove={mayApprove} />
              ))}
            </ol>
          )}
        </div>
        {state.problem !== null && (
          <Alert color="red" variant="light" icon={<Icon name="warning" />} title={state.problem.message} role="alert">
            {state.problem.remediation}
          </Alert>
        )}
        <form
          className="chat-composer"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <div className="chat-input">
            <Textarea
              ref={input}
              aria-label={t.chat.message}
              placeholder={t.chat.placeholder}
              value={draft}
              autosize
              minRows={2}
              maxRows={8}
              error={missing}
              onChange={(event) => type(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
                  event.preventDefault();
                  send();
                } else if (event.key === 'Escape' && state.running) {
                  conversation.stop();
                }
              }}
            />
            {state.running ? (
              <Button color="red" variant="outline" leftSection={<Icon name="stop" size={16} />} onClick={() => conversation.stop()}>
                {t.chat.stop}
              </Button>
            ) : (
              <Button type="submit" leftSection={<Icon name="send" size={16} />} disabled={draft.trim() === ''}>
                {t.chat.send}
              </Button>
            )}
          </div>
          <Group justify="space-between" align="flex-start" gap="xs">
            <Gauge state={state} session={address.session} />
            {state.messages.length > 0 && may('read_agent_audit') && (
              <Text size="sm">
                <Anchor renderRoot={(props) => <Link to="/activity" search={{ conversation_id: state.id }} {...props} />}>
                  {t.chat.activity}
                </Anchor>
              </Text>
            )}
          </Group>
        </form>
      </div>
    </>
  );
}

/** Keeps the end in view, unless the user has scrolled up. */
function useScrollToEnd(state: unknown): void {
  const near = useRef(true);
  useEffect(() => {
    const look = () => {
      near.current = document.documentElement.scrollHeight - window.scrollY - window.innerHeight < NEAR_END;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
    } else if (near.current) {
      window.scrollTo({ top: document.documentElement.scrollHeight });
    }
  }, [state]);
}
