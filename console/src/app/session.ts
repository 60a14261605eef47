import { useSyncExternalStore } from 'react';
import type { Right, WhoAmI } from '../api/types';

/** Whether a user is logged in. An ended log-in keeps the page, so that nothing typed into it is lost. */
export type SessionState =
  | { kind: 'asking' }
  | { kind: 'out'; reason: string | null }
  | { kind: 'in'; who: WhoAmI }
  | { kind: 'ended'; who: WhoAmI; reason: string };

export type May = (right: Right) => boolean;

let state: SessionState = { kind: 'asking' };
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  listeners.forEach((listener) => listener());
}

/** The log-in of this tab. Its CSRF token is kept in memory only. */
export const session = {
  csrfToken: (): string | null => (state.kind === 'in' ? (state.who.csrf_token ?? null) : null),
  /** Whether the logged-in user has a right; never if there is none. */
  may: (right: Right): boolean => state.kind === 'in' && state.who.rights.includes(right),
  isIn: (): boolean => state.kind === 'in',
  begin: (who: WhoAmI): void => become({ kind: 'in', who }),
  leave: (reason: string | null): void => become({ kind: 'out', reason }),
  end: (reason: string): void => {
    if (state.kind === 'in') {
      become({ kind: 'ended', who: state.who, reason });
    } else if (state.kind === 'asking') {
      become({ kind: 'out', reason: null });
    }
  },
};

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

const NOT_LOGGED_IN: WhoAmI = { tenant_id: '', role: 'agent', name: '', rights: [] };

/** The logged-in user; inside the shell there always is one. */
export function useWho(): WhoAmI {
  const now = useSession();
  return now.kind === 'in' || now.kind === 'ended' ? now.who : NOT_LOGGED_IN;
}

/** Whether the role has a right. The server decides; this only hides what it would refuse. */
export function useMay(): May {
  const { rights } = useWho();
  return (right) => rights.includes(right);
}
