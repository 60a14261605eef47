import { notifications } from '../../ui/notify';
import { useQueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import { ApiError } from '../../api/errors';
import { queries } from '../../api/queries';
import type { Approval, ApprovalScope } from '../../api/types';
import { t } from '../../strings';

export interface Verdict {
  approved: boolean;
  reason: string;
  scope: ApprovalScope;
}

export function answerBody({ approved, reason, scope }: Verdict) {
  return {
    approved,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(approved && scope !== 'once' && { scope }),
  };
}

/**
 * Sends answers. A request is shown as answered only after the server confirms it, with the name of the first approver.
 */
export function useAnswering(put: (approval: Approval) => void) {
  const client = useQueryClient();
  return async (approval: Approval, verdict: Verdict): Promise<boolean> => {
    const id = approval.approval_id;
    try {
      const accepted = await answer(
        api.POST('/api/v1/approvals/{approval_id}', {
          params: { path: { approval_id: id } },
          body: answerBody(verdict),
        }),
      );
      put(accepted);
      void client.invalidateQueries({ queryKey: ['approvals'] });
      return true;
    } catch (error) {
      const refusal = error instanceof ApiError ? error : ApiError.unreachable();
      notifications.show({
        color: refusal.status === 409 ? 'yellow' : 'red',
        title: refusal.status === 409 ? t.approvals.tooLate : t.approvals.notAnswered,
        message: refusal.message,
        autoClose: 12_000,
      });
      await client
        .fetchQuery({ ...queries.approval(id), staleTime: 0 })
        .then(put)
        .catch(() => undefined);
      void client.invalidateQueries({ queryKey: ['approvals'] });
      return false;
    }
  };
}
