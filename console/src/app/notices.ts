import { useSyncExternalStore, type ComponentType } from 'react';

type Notices = ComponentType<{ position: 'bottom-right'; autoClose: number }>;

let notices: Notices | null = null;
const listeners = new Set<() => void>();

/** Called by the file that pages show notices with, so that whoever can show one has all of it. */
export function provideNotices(component: Notices): void {
  notices = component;
  listeners.forEach((listener) => listener());
}

/** Where notices are shown; null until the first page that may show one. */
export function useNotices(): Notices | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notices,
  );
}
