import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client';
import { ApiError } from './errors';
import { t } from '../strings';

/** Whether the change of a record can be undone, and the records that undid it. */
export const undoState = (id: number) =>
  queryOptions({
    queryKey: ['audit', 'undo-state', id],
    staleTime: 0,
    queryFn: () => answer(api.GET('/api/v1/audit/logs/{record_id}', { params: { path: { record_id: id } } })),
  });

/** A preview of undoing the change of a record. */
export const undoPreview = (id: number) =>
  queryOptions({
    queryKey: ['audit', 'undo', id],
    staleTime: 0,
    queryFn: () => answer(api.GET('/api/v1/audit/logs/{record_id}/undo', { params: { path: { record_id: id } } })),
  });

/** Undoes the change; returns whether it is done or waits for an approval. */
export async function undoChange(id: number, reason: string): Promise<'done' | 'held'> {
  const { error, response } = await api.POST('/api/v1/audit/logs/{record_id}/undo', {
    params: { path: { record_id: id }, header: { Prefer: 'respond-async' } },
    body: reason === '' ? {} : { reason },
  });
  if (response.ok) {
    return response.status === 202 ? 'held' : 'done';
  }
  const denied = error as { reason?: unknown; suggestion?: unknown } | undefined;
  throw typeof denied?.reason === 'string'
    ? new ApiError(response.status, 'PERMISSION_DENIED', denied.reason, String(denied.suggestion ?? t.undoCall.deniedNext))
    : ApiError.of(response.status, error);
}
