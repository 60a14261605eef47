import { useEffect, useRef } from 'react';
import { session } from '../app/session';
import { api } from './client';

/**
 * Live updates. A browser opens at most six connections to a server, so of all its tabs one (the holder of a web lock)
 * listens to a stream and notifies the others of changes. They fetch the data themselves: what is shown always comes
 * from the server, and no arguments of calls are passed between tabs.
 */
interface Topic {
  address: string;
  /** The events of the stream, and the kind of data that each changes. */
  events: Record<string, string>;
}

const TOPICS = {
  console: {
    address: '/api/v1/console/events',
    events: { approval_opened: 'approvals', approval_answered: 'approvals', permissions: 'permissions' },
  },
  audit: { address: '/api/v1/audit/stream?kind=all', events: { record: 'records' } },
} as const satisfies Record<string, Topic>;

export type TopicName = keyof typeof TOPICS;

/** Events within this time are combined into one update. */
const GATHER_MS = 400;
const RETRY_MS = 3000;
/** A tab that has waited longer than this for the lock may have missed events between two listeners. */
const LATE_MS = 2000;

/**
 * Opens the stream and reads it until aborted; opens it again when it breaks.
 *
 * `asked` is the time when the page requested the lock, which is when its data was fetched.
 */
function listen(
  topic: Topic,
  changed: (what: string[]) => void,
  signal: AbortSignal,
  asked: number,
): Promise<void> {
  return new Promise((done) => {
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let permissions: unknown = performance.now() - asked > LATE_MS ? null : undefined;
    const gathered = new Set<string>();
    const gather = (...what: string[]) => {
      what.forEach((each) => gathered.add(each));
      gathering ??= setTimeout(() => {
        gathering = undefined;
        changed([...gathered]);
        gathered.clear();
      }, GATHER_MS);
    };
    const open = () => {
      source = new EventSource(topic.address);
      // Events may have been missed while the stream was closed; for permissions the stream itself reports the version.
      source.onopen = () => gather(...Object.values(topic.events).filter((what) => what !== 'permissions'));
      for (const [event, what] of Object.entries(topic.events)) {
        source.addEventListener(event, ({ data }) => {
          const known = permissions;
          permissions = what === 'permissions' ? data : known;
          if (what !== 'permissions' || (known !== undefined && known !== data)) {
            gather(what);
          }
        });
      }
      source.onerror = () => {
        source?.close();
        // The stream gives no reason for its end; a request does, and ends the log-in if it has expired.
        void api.GET('/api/v1/whoami').catch(() => undefined);
        clearTimeout(retry);
        retry = setTimeout(open, RETRY_MS);
      };
    };
    signal.addEventListener('abort', () => {
      clearTimeout(retry);
      clearTimeout(gathering);
      source?.close();
      done();
    });
    open();
  });
}

/** Calls back with the kinds of data that changed, in all tabs. */
export function useLive(name: TopicName, onChange: (what: string[]) => void, enabled = true): void {
  const current = useRef(onChange);
  current.current = onChange;
  useEffect(() => {
    if (!enabled || session.csrfToken() === null) {
      return undefined;
    }
    const stop = new AbortController();
    const channel = new BroadcastChannel(`toolgate-${name}`);
    channel.onmessage = ({ data }: MessageEvent<string[]>) => current.current(data);
    const tell = (what: string[]) => {
      current.current(what);
      channel.postMessage(what);
    };
    const asked = performance.now();
    const follow = () => listen(TOPICS[name] as unknown as Topic, tell, stop.signal, asked);
    if ('locks' in navigator) {
      navigator.locks.request(`toolgate-${name}`, { signal: stop.signal }, follow).catch(() => undefined); // aborted
    } else {
      void follow(); // browsers have locks only on pages with TLS or from localhost
    }
    return () => {
      stop.abort();
      channel.close();
    };
  }, [name, enabled]);
}
