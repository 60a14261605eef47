import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Permission } from '../../api/types';
import { t } from '../../strings';
import { Ago } from '../../ui/time';
import { Untrusted } from '../../ui/Untrusted';

/** The terms of a permission: approval, condition, end, uses and notes. */
export function PermissionTerms({ permission }: { permission: Permission }) {
  const { condition, expires_at: ends, max_uses: most, notes } = permission;
  const terms = t.permissions.terms;
  return (
    <Text size="xs" c="dimmed" component="div">
      {permission.requires_approval && <div>{terms.requires_approval}</div>}
      {condition !== null && (
        <div>
          {terms.condition}:{' '}
          <Anchor inherit renderRoot={(props) => <Link to="/try" search={{ view: 'condition', condition }} {...props} />}>
            <Untrusted mono>{condition}</Untrusted>
          </Anchor>
        </div>
      )}
      {ends !== null && (
        <div>
          {terms.expires_at}: <Ago at={ends} />
        </div>
      )}
      {most !== null && <div>{t.permissions.uses(permission.uses, most)}</div>}
      {notes !== null && notes !== '' && <Untrusted>{notes}</Untrusted>}
    </Text>
  );
}
