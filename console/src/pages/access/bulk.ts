import type { QueryClient } from '@tanstack/react-query';
import { answer, api } from '../../api/client';
import type { BulkChange } from './model';

/** Makes all changes or none, and refetches permissions. */
export async function setPermissions(client: QueryClient, changes: BulkChange[], reason: string): Promise<void> {
  const body = { changes, ...(reason !== '' && { reason }) };
  await answer(api.POST('/api/v1/permissions/bulk', { body: body as never }));
  await Promise.all([
    client.invalidateQueries({ queryKey: ['permissions'] }),
    client.invalidateQueries({ queryKey: ['groups'] }),
  ]);
}
