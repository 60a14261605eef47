import { useSyncExternalStore } from 'react';

/** The preferences stored in this browser; nothing about calls or keys. */
interface Preferences {
  shortcuts: 'on' | 'off';
  notify: 'on' | 'off';
}

const KEY = 'toolgate-preferences';
const DEFAULTS: Preferences = { shortcuts: 'on', notify: 'off' };
const listeners = new Set<() => void>();
let current: Preferences = read();

function read(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) };
  } catch {
    return DEFAULTS;
  }
}

export function prefer(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  localStorage.setItem(KEY, JSON.stringify(current));
  listeners.forEach((listener) => listener());
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
