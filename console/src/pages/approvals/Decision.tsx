import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useState, type RefObject } from 'react';
import type { Approval, ApprovalScope } from '../../api/types';
import { t } from '../../strings';
import { Command } from '../../ui/Command';
import { Icon } from '../../ui/Icon';
import { answerBody, type Verdict } from './answers';

/** The actions of the page's keys. */
export interface DecisionKeys {
  approve: () => void;
  deny: () => void;
  nextScope: () => void;
}

/** Typed but unsent reasons by request: they must survive the rebuild of the page after a new log-in. */
const unsent = new Map<string, string>();

/** The answer to one request. A dangerous tool needs a second press, so that it is not approved by accident. */
export function Decision({
  approval,
  dangerous,
  mayAnswer,
  read,
  onlyOnce,
  onAnswer,
  keys,
}: {
  approval: Approval;
  dangerous: boolean;
  mayAnswer: boolean;
  /** Whether all arguments are shown; not needed for a denial. */
  read: boolean;
  onlyOnce: boolean;
  onAnswer: (verdict: Verdict) => Promise<boolean>;
  keys: RefObject<DecisionKeys | null>;
}) {
  const [scope, setScope] = useState<ApprovalScope>('once');
  const [reason, showReason] = useState(unsent.get(approval.approval_id) ?? '');
  const setReason = (text: string) => {
    unsent.set(approval.approval_id, text);
    showReason(text);
  };
  const [armed, setArmed] = useState(false);
  const [busy, setBusy] = useState(false);
  const scopes: ApprovalScope[] = onlyOnce
    ? ['once']
    : approval.session_id === null
      ? ['once', 'agent']
      : ['once', 'session', 'agent'];
  const send = async (approved: boolean) => {
    if (busy || (approved && !read)) {
      return;
    }
    if (approved && dangerous && !armed) {
      setArmed(true);
      return;
    }
    setArmed(false);
    setBusy(true);
    if (await onAnswer({ approved, reason, scope })) {
      unsent.delete(approval.approval_id);
    }
    setBusy(false);
  };
  const pending = approval.state === 'pending' && mayAnswer;
  useEffect(() => {
    keys.current = pending
      ? {
          approve: () => void send(true),
          deny: () => void send(false),
          nextScope: () => setScope(scopes[(scopes.indexOf(scope) + 1) % scopes.length] ?? 'once'),
        }
      : null;
    return () => {
      keys.current = null;
    };
  });
  if (!pending) {
    return null;
  }
  const id = approval.approval_id;
  return (
    <Stack gap="sm" mt="lg" className="decision">
      {approval.approvals_needed > 1 && <Text size="sm">{t.approvals.needed(approval.approvals_needed)}</Text>}
      <div className="decision-terms">
        {scopes.length > 1 && (
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t.approvals.scope}
            </Text>
            <SegmentedControl
              aria-label={t.approvals.scope}
              value={scope}
              onChange={(value) => setScope(value as ApprovalScope)}
              data={scopes.map((each) => ({ value: each, label: t.approvals.scopes[each] }))}
            />
          </div>
        )}
        <TextInput
          label={t.reason}
          value={reason}
          maxLength={2000}
          placeholder={t.reasonAbout}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </div>
      {scope !== 'once' && <Text size="sm">{t.approvals.scopesAbout[scope]}</Text>}
      {armed && (
        <Alert color="orange" variant="light" icon={<Icon name="warning" />} role="alert">
          {t.approvals.again}
        </Alert>
      )}
      <Group justify="space-between">
        <Group gap="xs">
          <Button
            loading={busy}
            disabled={!read}
            title={read ? undefined : t.approvals.readFirst}
            color={armed ? 'orange.9' : 'blue'}
            leftSection={<Icon name="check" size={16} />}
            onClick={() => void send(true)}
          >
            {armed ? t.approvals.approveSure : t.approvals.approve}
          </Button>
          <Button
            loading={busy}
            color="red"
            variant="outline"
            leftSection={<Icon name="cross" size={16} />}
            onClick={() => void send(false)}
          >
            {t.approvals.deny}
          </Button>
        </Group>
        <Command
          cli={[
            'approvals',
            'approve',
            id,
            ...(scope === 'once' ? [] : ['--scope', scope]),
            ...(reason.trim() === '' ? [] : ['--reason', reason.trim()]),
          ]}
          http={{
            method: 'POST',
            path: `/api/v1/approvals/${id}`,
            body: answerBody({ approved: true, reason, scope }),
          }}
        />
      </Group>
    </Stack>
  );
}
