import { Badge } from '@mantine/core';
import type { Approval, AuditRecord, EffectivePermission, Permission, Session } from '../api/types';
import { t } from '../strings';
import { Icon, type IconName } from './Icon';

function Sign({ colour, icon, children }: { colour: string; icon: IconName; children: string }) {
  return (
    <Badge color={colour} variant="light" radius="sm" leftSection={<Icon name={icon} size={12} />} className="sign">
      {children}
    </Badge>
  );
}

/** How a call ended, by sign, word and colour. */
export function OutcomeBadge({ record }: { record: Pick<AuditRecord, 'status'> }) {
  switch (record.status) {
    case 'COMPLETED':
      return <Sign colour="green" icon="check">{t.outcomes.COMPLETED}</Sign>;
    case 'REFUSED':
      return <Sign colour="red" icon="cross">{t.outcomes.REFUSED}</Sign>;
    case 'FAILED':
      return <Sign colour="orange" icon="warning">{t.outcomes.FAILED}</Sign>;
    case 'INTERRUPTED':
      return <Sign colour="grape" icon="warning">{t.outcomes.INTERRUPTED}</Sign>;
  }
}

export function ApprovalBadge({ state }: { state: Approval['state'] }) {
  switch (state) {
    case 'pending':
      return <Sign colour="blue" icon="clock">{t.approvals.states.pending}</Sign>;
    case 'approved':
      return <Sign colour="green" icon="check">{t.approvals.states.approved}</Sign>;
    case 'denied':
      return <Sign colour="red" icon="cross">{t.approvals.states.denied}</Sign>;
    case 'timed_out':
      return <Sign colour="gray" icon="clock">{t.approvals.states.timed_out}</Sign>;
    case 'withdrawn':
      return <Sign colour="gray" icon="undo">{t.approvals.states.withdrawn}</Sign>;
  }
}

/** What an agent or a group may do with a tool. */
export function PermissionBadge({
  permission,
}: {
  permission: Pick<EffectivePermission, 'state'> & { sources: Pick<Permission, 'requires_approval' | 'condition'>[] };
}) {
  switch (permission.state) {
    case 'allowed':
      return permission.sources.some((source) => source.requires_approval) ? (
        <Sign colour="yellow" icon="person">{t.permissions.states.approval}</Sign>
      ) : permission.sources.some((source) => source.condition !== null) ? (
        <Sign colour="cyan" icon="check">{t.permissions.states.conditional}</Sign>
      ) : (
        <Sign colour="green" icon="check">{t.permissions.states.allowed}</Sign>
      );
    case 'refused':
      return <Sign colour="red" icon="cross">{t.permissions.states.refused}</Sign>;
    case 'expired':
      return <Sign colour="gray" icon="clock">{t.permissions.states.expired}</Sign>;
    case 'used_up':
      return <Sign colour="gray" icon="clock">{t.permissions.states.used_up}</Sign>;
  }
}

export function DangerBadge({ danger }: { danger: 'safe' | 'dangerous' }) {
  return danger === 'dangerous' ? (
    <Sign colour="orange" icon="warning">{t.tools.dangerous}</Sign>
  ) : (
    <Sign colour="gray" icon="check">{t.tools.safe}</Sign>
  );
}

export function SessionBadge({ status }: { status: Session['status'] }) {
  switch (status) {
    case 'active':
      return <Sign colour="green" icon="check">{t.sessions.states.active}</Sign>;
    case 'expired':
      return <Sign colour="gray" icon="clock">{t.sessions.states.expired}</Sign>;
    case 'ended':
      return <Sign colour="gray" icon="cross">{t.sessions.states.ended}</Sign>;
  }
}

/** What the gate would decide. */
export function DecisionBadge({ decision }: { decision: 'allowed' | 'needs_approval' | 'denied' }) {
  switch (decision) {
    case 'allowed':
      return <Sign colour="green" icon="check">{t.decisions.allowed}</Sign>;
    case 'needs_approval':
      return <Sign colour="yellow" icon="person">{t.decisions.needs_approval}</Sign>;
    case 'denied':
      return <Sign colour="red" icon="cross">{t.decisions.denied}</Sign>;
  }
}

/** The result of an example of a condition. */
export function ResultBadge({ result }: { result: 'true' | 'false' | 'error' }) {
  switch (result) {
    case 'true':
      return <Sign colour="green" icon="check">{t.try.results.true}</Sign>;
    case 'false':
      return <Sign colour="red" icon="cross">{t.try.results.false}</Sign>;
    case 'error':
      return <Sign colour="orange" icon="warning">{t.try.results.error}</Sign>;
  }
}
