import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from '#schema';
import { session } from '../app/session';
import { ApiError } from './errors';

/** A page of a list, and the cursor of the next one. */
export interface Page<T> {
  items: T[];
  next: string | null;
}

const withSession: Middleware = {
  onRequest({ request }) {
    const token = session.csrfToken();
    if (token !== null && request.method !== 'GET') {
      request.headers.set('X-CSRF-Token', token);
    }
    return request;
  },
  async onResponse({ request, response }) {
    // A log-in with a wrong key has the same status, but does not end the present log-in.
    if (response.status === 401 && !request.url.endsWith('/console/session')) {
      const body: unknown = await response.clone().json().catch(() => undefined);
      session.end(ApiError.of(401, body).message);
    }
    return response;
  },
  onError() {
    return ApiError.unreachable();
  },
};

/** The client of the published API, typed by its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: window.location.origin });
api.use(withSession);

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** The answer, or an {@link ApiError}. */
export async function answer<T>(sent: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await sent;
  if (!response.ok) {
    throw ApiError.of(response.status, error);
  }
  return data as T;
}

/** A page of a list; `parameter` is the query parameter with the cursor in the link to the next page. */
export async function page<T>(sent: Promise<Outcome<T[]>>, parameter: 'after' | 'page' = 'after'): Promise<Page<T>> {
  const { data, error, response } = await sent;
  if (!response.ok) {
    throw ApiError.of(response.status, error);
  }
  return { items: data ?? [], next: nextOf(response, parameter) };
}

/** The cursor of the next page, if there is one. */
export function nextOf(response: Response, parameter: 'after' | 'page'): string | null {
  const link = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '');
  return link?.[1] === undefined ? null : new URL(link[1], window.location.origin).searchParams.get(parameter);
}

/** All pages of a list, up to a maximum number of entries. */
export async function everything<T>(
  load: (after: string | undefined) => Promise<Page<T>>,
  bound = 5000,
): Promise<T[]> {
  const all: T[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await load(after);
    all.push(...items);
    after = next ?? undefined;
  } while (after !== undefined && all.length < bound);
  return all;
}
