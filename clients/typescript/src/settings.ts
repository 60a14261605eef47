/**
 * The address of the gate and the caller's credentials. Missing options are taken from `TOOLGATE_URL`, `TOOLGATE_KEY`
 * and `TOOLGATE_AGENT`.
 */
export interface ConnectionOptions {
  /** The address of the gate; `http://127.0.0.1:8001` if nothing is set. */
  url?: string | undefined;
  /** The key or token to send; none if nothing is set. */
  key?: string | undefined;
  /** The agent to act as. */
  agent?: string | undefined;
  /** Another `fetch`. */
  fetch?: typeof fetch | undefined;
  /** How many milliseconds one request may take; a minute if left out. */
  timeout?: number | undefined;
  /** The maximum number of retries; 2 if left out. */
  maxRetries?: number | undefined;
}

/** Settings with the environment and the defaults filled in. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string | undefined;
  readonly agent: string | undefined;
  readonly fetch: typeof fetch;
  readonly timeout: number;
  readonly maxRetries: number;
}

interface ProcessLike {
  env?: Record<string, string | undefined>;
  versions?: { node?: string };
}

const host: ProcessLike | undefined = (globalThis as { process?: ProcessLike }).process;

/** Whether this runs in Node or something like it; browsers set `User-Agent` themselves. */
export const onServer = host?.versions?.node !== undefined;

/** The settings, checked. */
export function connectionOf(options: ConnectionOptions): Connection {
  const maxRetries = options.maxRetries ?? 2;
  const timeout = options.timeout ?? 60_000;
  if (!Number.isInteger(maxRetries) || maxRetries < 0) {
    throw new TypeError('maxRetries must be 0 or a positive whole number.');
  }
  if (!(timeout > 0)) {
    throw new TypeError('timeout must be a positive number of milliseconds.');
  }
  return {
    url: addressOf(options.url ?? environment('TOOLGATE_URL') ?? 'http://127.0.0.1:8001'),
    key: options.key ?? environment('TOOLGATE_KEY'),
    agent: options.agent ?? environment('TOOLGATE_AGENT'),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    timeout,
    maxRetries,
  };
}

function environment(name: string): string | undefined {
  return host?.env?.[name] || undefined;
}

function addressOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`'${text}' is not a URL; give the address of the gate, such as http://127.0.0.1:8001.`);
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username || url.password || url.search || url.hash) {
    throw new TypeError('The address of the gate must be http:// or https://, without credentials, query and fragment.');
  }
  return url.href.replace(/\/+$/, '');
}
