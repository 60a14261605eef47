import { Text } from '@mantine/core';
import { t } from '../strings';
import { Untrusted, UntrustedBlock } from './Untrusted';

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** All arguments of a call, never cut, always as plain text. */
export function Arguments({ value, masked }: { value: Record<string, unknown>; masked?: number | null }) {
  const names = Object.keys(value);
  return (
    <div>
      {names.length === 0 && <Text c="dimmed">{t.arguments.none}</Text>}
      <dl className="arguments">
        {names.map((name) => (
          <div key={name}>
            <dt>
              <Untrusted mono>{name}</Untrusted>
            </dt>
            <dd>
              <UntrustedBlock text={asText(value[name])} />
            </dd>
          </div>
        ))}
      </dl>
      {masked != null && masked > 0 && <Text size="sm">{t.arguments.masked(masked)}</Text>}
    </div>
  );
}
