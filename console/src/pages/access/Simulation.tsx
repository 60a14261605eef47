import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '#schema';
import { answer, api } from '../../api/client';
import { t } from '../../strings';
import { Problem } from '../../ui/States';
import { Time } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';
import type { BulkChange } from './model';

type Result = components['schemas']['Simulation'];

const DAYS = [1, 7, 30, 90];
const KINDS = ['newly_denied', 'newly_allowed', 'newly_held', 'unknown'] as const;
const EXAMPLES = 5;

/** Simulates the draft with recorded calls. */
export function Simulation({ changes }: { changes: BulkChange[] }) {
  const [days, setDays] = useState(7);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<{ of: string; result: Result } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const asked = JSON.stringify([changes, days]);
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      const since = new Date(Date.now() - days * 86_400_000).toISOString();
      const result = (await answer(
        api.POST('/api/v1/permissions/simulate', { body: { changes, since, examples: EXAMPLES } as never }),
      )) as Result;
      setFound({ of: asked, result });
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={t.access.simulateSince}
          value={String(days)}
          data={DAYS.map((count) => ({ value: String(count), label: t.access.days(count) }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
        <Button variant="default" loading={busy} onClick={() => void run()}>
          {t.access.simulate}
        </Button>
      </Group>
      <div aria-live="polite">
        {error !== null && <Problem error={error} />}
        {/* A result of an earlier draft is not shown. */}
        {found !== null && found.of === asked && <Found result={found.result} />}
      </div>
    </div>
  );
}

function Found({ result }: { result: Result }) {
  const changed = KINDS.filter((kind) => result[kind].count > 0);
  return (
    <div className="simulation">
      <Text size="sm">
        {t.access.simulated(result.replayed)} {changed.length === 0 && t.access.nothingNew}
      </Text>
      {(result.not_looked_at.before !== null || result.not_looked_at.after !== null) && (
        <Text size="sm" c="dimmed">
          {t.access.cutShort}
        </Text>
      )}
      {changed.map((kind) => (
        <details key={kind} open>
          <summary>
            {result[kind].count} {t.access.newly[kind]}
          </summary>
          <ul className="draft-list">
            {result[kind].examples.map((each) => (
              <li key={each.request_id}>
                <Time at={each.timestamp} short /> · <Untrusted>{each.agent_id}</Untrusted> ·{' '}
                <Untrusted mono>{each.tool_name}</Untrusted>
                {each.reason !== null && (
                  <Text span size="sm" c="dimmed">
                    {' '}
                    <Untrusted>{each.reason}</Untrusted>
                  </Text>
                )}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}
