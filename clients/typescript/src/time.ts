/** Resolves after a time, or rejects with the signal's reason. */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const aborted = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

const FIRST_DELAY = 500;
const MAX_DELAY = 8_000;
const MAX_RETRY_AFTER = 60_000;

/**
 * How long to wait before a request is sent again: 0.5 to 8 seconds with jitter, or what the gate asked for if that is
 * longer. Undefined if it asked for more than a minute, which is reported to the caller instead.
 */
export function retryDelay(retry: number, retryAfterSeconds: number | undefined): number | undefined {
  const asked = (retryAfterSeconds ?? 0) * 1000;
  if (asked > MAX_RETRY_AFTER) {
    return undefined;
  }
  const longest = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (retry + 1));
  return Math.max(asked, FIRST_DELAY + Math.random() * (longest - FIRST_DELAY));
}

/** The seconds of a `Retry-After` header, which may also be a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const header = headers.get('retry-after');
  if (!header) {
    return undefined;
  }
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

/** A random UUID, also on pages without TLS, where `crypto.randomUUID` is missing. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
