import { Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { t } from '../../strings';
import { formatNumber } from '../../ui/time';
import type { ChatState } from './conversation';

/** The server's maximum number of requests to the model in one answer. */
const MAX_TURNS = 200;

/** The usage of the conversation: tokens, requests to the model, and the budget of its session. */
export function Gauge({ state, session }: { state: ChatState; session: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['sessions', session ?? ''],
    enabled: session !== undefined,
    retry: false,
    queryFn: () =>
      answer(api.GET('/api/v1/sessions/{session_id}', { params: { path: { session_id: session ?? '' } } })),
  });
  const budget = data?.policy_bundle.llmPolicy?.maxSessionTokens ?? null;
  const used = state.tokensIn + state.tokensOut;
  const answers = state.messages.filter((each) => each.role === 'assistant');
  const turns = answers.reduce((sum, each) => sum + each.turns, 0);
  const current = answers.at(-1)?.turns ?? 0;
  return (
    <section className="chat-gauge" aria-label={t.chat.gauge}>
      <dl>
        <div>
          <dt>{t.chat.tokensIn}</dt>
          <dd>{formatNumber(state.tokensIn)}</dd>
        </div>
        <div>
          <dt>{t.chat.tokensOut}</dt>
          <dd>{formatNumber(state.tokensOut)}</dd>
        </div>
        <div>
          <dt>{t.chat.turns}</dt>
          <dd>{formatNumber(turns)}</dd>
        </div>
      </dl>
      {current > 0 && (
        <div className="chat-gauge-bar">
          <Progress value={(100 * current) / MAX_TURNS} size="sm" aria-label={t.chat.turns} />
          <Text size="xs" c="dimmed">
            {t.chat.turnsOf(current, MAX_TURNS)}
          </Text>
        </div>
      )}
      {budget !== null && (
        <div className="chat-gauge-bar">
          <Progress value={Math.min(100, (100 * used) / budget)} size="sm" color={used > 0.8 * budget ? 'orange' : 'blue'} aria-label={t.chat.session} />
          <Text size="xs" c="dimmed">
            {t.chat.budget(formatNumber(used), formatNumber(budget))}
          </Text>
        </div>
      )}
    </section>
  );
}
