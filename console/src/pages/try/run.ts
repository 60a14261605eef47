import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { components } from '#schema';
import { api } from '../../api/client';
import { ApiError } from '../../api/errors';
import type { TriedCall } from './Verdict';

type Schemas = components['schemas'];

/** The state of a call. */
export type CallState =
  | { kind: 'pending'; call: Schemas['PendingCall'] }
  | { kind: 'ended'; call: Schemas['AllowedCall'] | Schemas['FailedCall'] }
  | { kind: 'denied'; call: Schemas['DeniedCall'] }
  | { kind: 'error'; error: unknown };

/** The polling interval for the outcome of a waiting call. */
const POLL_MS = 2000;

/** The state from a response of any status, since a refusal is an outcome, too. */
function stateOf(sent: { data?: unknown; error?: unknown; response: Response }): CallState {
  const body = (sent.data ?? sent.error) as { status?: string } | undefined;
  if (sent.response.status === 202) {
    return { kind: 'pending', call: body as Schemas['PendingCall'] };
  }
  switch (body?.status) {
    case 'allowed':
      return { kind: 'ended', call: body as Schemas['AllowedCall'] };
    case 'denied':
      return { kind: 'denied', call: body as Schemas['DeniedCall'] };
    default:
      return { kind: 'error', error: ApiError.of(sent.response.status, body) };
  }
}

function newRequestId(): string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  return `console-${Date.now().toString(36)}-${[...random].map((each) => each.toString(36)).join('')}`;
}

export interface MadeCall {
  request: string;
  agent: string;
}

/** Makes calls, one at a time, and polls each until it has ended. */
export function useCall() {
  const client = useQueryClient();
  const [made, setMade] = useState<MadeCall | null>(null);
  const [busy, setBusy] = useState(false);
  const key = ['calls', made?.request, made?.agent];
  const { data: state } = useQuery<CallState>({
    queryKey: key,
    queryFn: async () =>
      stateOf(
        await api.GET('/api/v1/calls/{request_id}', {
          params: { path: { request_id: made?.request ?? '' }, query: { agent_id: made?.agent ?? '' } },
        }),
      ),
    enabled: ({ state: kept }) => made !== null && kept.data?.kind === 'pending',
    staleTime: Infinity,
    refetchInterval: ({ state: kept }) => (kept.data?.kind === 'pending' ? POLL_MS : false),
  });
  const run = async (call: TriedCall) => {
    setBusy(true);
    const request = newRequestId();
    let outcome: CallState;
    try {
      outcome = stateOf(
        await api.POST('/api/v1/tools/execute', {
          headers: { Prefer: 'respond-async' },
          body: { ...call, request_id: request },
        }),
      );
    } catch (error) {
      outcome = { kind: 'error', error };
    }
    client.setQueryData(['calls', request, call.agent_id], outcome);
    setMade({ request, agent: call.agent_id });
    setBusy(false);
  };
  return { made, state, busy, run };
}
