import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Untrusted } from '../../ui/Untrusted';

/** A session that leads to its page, at one of its calls if there is one. */
export function SessionLink({ id, call }: { id: string; call?: number }) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to="/sessions/$id" params={{ id }} search={call === undefined ? {} : { call: String(call) }} {...props} />
      )}
    >
      <Untrusted mono>{id}</Untrusted>
    </Anchor>
  );
}
