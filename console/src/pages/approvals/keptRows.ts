import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/errors';
import { queries } from '../../api/queries';
import type { Approval } from '../../api/types';

/**
 * The requests since the page was opened. One that is no longer pending keeps its row, with its final state, so that
 * the list does not move while the user answers.
 */
export function useKeptRows(pending: Approval[] | undefined) {
  const client = useQueryClient();
  const [rows, setRows] = useState<ReadonlyMap<string, Approval>>(new Map());
  const put = (approval: Approval) => setRows((before) => new Map(before).set(approval.approval_id, approval));

  useEffect(() => {
    if (pending === undefined) {
      return;
    }
    const ids = new Set(pending.map((each) => each.approval_id));
    setRows((before) => {
      const after = new Map(before);
      for (const each of pending) {
        const known = before.get(each.approval_id);
        // An answer that was just accepted is newer than a list that was requested before it.
        if (known === undefined || known.state === 'pending') {
          after.set(each.approval_id, each);
        }
      }
      return after;
    });
    for (const gone of [...rows.values()].filter((each) => each.state === 'pending' && !ids.has(each.approval_id))) {
      client
        .fetchQuery({ ...queries.approval(gone.approval_id), staleTime: 0 })
        .then(put)
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 404) {
            put({ ...gone, state: 'withdrawn' });
          }
        });
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when the server's list changes
  }, [pending]);

  const forgetAnswered = () =>
    setRows((before) => new Map([...before].filter(([, each]) => each.state === 'pending')));
  const sorted = [...rows.values()].sort(
    (one, other) => one.expires_at.localeCompare(other.expires_at) || one.approval_id.localeCompare(other.approval_id),
  );
  return { rows: sorted, put, forgetAnswered };
}
