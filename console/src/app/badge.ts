import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries';
import { useMay } from './session';

/** How many calls wait for an answer that this person may give. */
export function useBadge(): number {
  const may = useMay();
  const answers = may('answer_approvals') || may('answer_own_questions');
  const { data } = useQuery({ ...queries.pendingApprovals, enabled: answers });
  return answers ? (data?.items.length ?? 0) : 0;
}
