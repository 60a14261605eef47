import { Link } from '@tanstack/react-router';
import type { PermissionChange } from '../../api/types';
import { t } from '../../strings';
import { Untrusted } from '../../ui/Untrusted';

/** The holder of a permission: an agent, with a link to its page, or a group. */
export function Holder({ change }: { change: Pick<PermissionChange, 'agent_id' | 'group_id'> }) {
  const { agent_id: agent, group_id: group } = change;
  return agent !== null ? (
    <Link to="/agents/$id" params={{ id: agent }} className="anchor">
      <Untrusted>{agent}</Untrusted>
    </Link>
  ) : (
    <>
      {t.changes.group} <GroupLink id={group ?? ''} />
    </>
  );
}

function GroupLink({ id }: { id: string }) {
  return (
    <Link to="/groups/$id" params={{ id }} className="anchor">
      <Untrusted>{id}</Untrusted>
    </Link>
  );
}

/** One change as a sentence. */
export function ChangeLine({ change }: { change: PermissionChange }) {
  const isMembership = change.tool_name === '*';
  return (
    <span className={change.new_state ? 'change added' : 'change removed'}>
      <span className="change-sign">{change.new_state ? '+' : '−'}</span> <Holder change={change} />{' '}
      {isMembership ? (
        change.group_id !== null && change.agent_id !== null ? (
          <>
            {change.new_state ? t.changes.joined : t.changes.left} <GroupLink id={change.group_id} />
          </>
        ) : change.new_state ? (
          t.changes.created
        ) : (
          t.changes.removed
        )
      ) : (
        <>
          {change.new_state ? t.changes.mayUse : t.changes.mayNotUse} <Untrusted mono>{change.tool_name}</Untrusted>
        </>
      )}
    </span>
  );
}
