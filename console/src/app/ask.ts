import { api } from '../api/client';
import { t } from '../strings';
import { session } from './session';

/** The error code of a failed single sign-on; read at once, since the router changes the address. */
export const signOnProblem = new URLSearchParams(window.location.search).get('sign_on');

/** Asks the server whether the user is logged in. */
export async function ask(): Promise<void> {
  try {
    const { data } = await api.GET('/api/v1/console/session');
    if (data?.csrf_token === undefined) {
      session.leave(null);
    } else {
      session.begin(data);
    }
  } catch (unreachable) {
    session.leave(unreachable instanceof Error ? unreachable.message : t.errors.unreachable);
  }
}
