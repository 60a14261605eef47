import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../api/client';
import type { WhoAmI } from '../api/types';
import { t } from '../strings';
import { useLoaded } from './later';
import { session, useSession } from './session';
import { Shell } from './Shell';

const loadLoginPage = () => import('../pages/login/LoginPage').then((module) => module.LoginPage);
const loadLoginAgain = () => import('./LoginAgain').then((module) => module.LoginAgain);

/**
 * Checks the log-in before anything is shown. A user who is not logged in gets the log-in form at the requested
 * address; if a log-in ends, the page stays below the dialog, with everything typed into it.
 */
export function Root() {
  const state = useSession();
  const client = useQueryClient();
  const LoginPage = useLoaded(loadLoginPage, state.kind === 'out' ? 'now' : 'never');
  // Before it is needed: a log-in may also end because the gate does.
  const LoginAgain = useLoaded(loadLoginAgain, state.kind === 'ended' ? 'now' : state.kind === 'in' ? 'later' : 'never');
  const expiresAt = state.kind === 'in' ? state.who.expires_at : undefined;
  useEffect(() => {
    if (expiresAt === undefined) {
      return undefined;
    }
    const left = Math.min(Date.parse(expiresAt) - Date.now(), 2 ** 31 - 1);
    const timer = setTimeout(() => session.end(t.login.expired), Math.max(left, 0));
    return () => clearTimeout(timer);
  }, [expiresAt]);
  const again = (who: WhoAmI, before: WhoAmI) => {
    if (who.name !== before.name || who.tenant_id !== before.tenant_id) {
      client.clear();
    }
    session.begin(who);
    void client.invalidateQueries();
  };
  const ended = state.kind === 'ended' ? state.who : null;
  useEffect(() => {
    if (ended === null) {
      return undefined;
    }
    // The user may have logged in in another tab.
    const look = async () => {
      const { data } = await api.GET('/api/v1/console/session');
      if (data?.csrf_token !== undefined) {
        again(data, ended);
      }
    };
    const focused = () => void look().catch(() => undefined);
    window.addEventListener('focus', focused);
    return () => window.removeEventListener('focus', focused);
  }, [ended]);
  switch (state.kind) {
    case 'asking':
      return <Asking />;
    case 'out':
      return LoginPage === null ? <Asking /> : <LoginPage reason={state.reason} />;
    case 'in':
    case 'ended':
      // The same tree for both states, so that React keeps the page.
      return (
        <>
          <Shell />
          {state.kind === 'ended' && LoginAgain !== null && (
            <LoginAgain reason={state.reason} onDone={(who) => again(who, state.who)} />
          )}
        </>
      );
  }
}

function Asking() {
  return <div className="asking" role="status" aria-label={t.states.loading} />;
}
