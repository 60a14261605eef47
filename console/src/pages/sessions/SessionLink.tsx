import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Untrusted } from '../../ui/Untrusted';

/** A link to the page of a session, optionally at one of its calls. */
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
