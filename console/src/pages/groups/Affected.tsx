import { Text } from '@mantine/core';
import { t } from '../../strings';
import { Untrusted } from '../../ui/Untrusted';

const MAX_NAMES = 5;

/** The first few names, and the number of the rest. */
export function SomeNames({ names }: { names: string[] }) {
  return (
    <>
      <Untrusted>{names.slice(0, MAX_NAMES).join(', ')}</Untrusted>
      {names.length > MAX_NAMES && ` ${t.access.more(names.length - MAX_NAMES)}`}
    </>
  );
}

/** The agents that a change of their group affects. */
export function Affected({ members }: { members: string[] }) {
  return (
    <Text size="sm" component="div">
      {t.groups.affects(members.length)} <SomeNames names={members} />
    </Text>
  );
}
