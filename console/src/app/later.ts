import { useEffect, useState, type ComponentType } from 'react';

/** The time that a first page has for itself. */
const FIRST_MS = 1000;
const RETRY_MS = 3000;

/**
 * A component that is loaded a second after the first page, which need not wait for what it does not show; null until
 * then. A gate that is restarted meanwhile is asked again: the page stays as it is.
 */
export function useLater<P>(load: () => Promise<ComponentType<P>>): ComponentType<P> | null {
  const [loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tryAfter = (ms: number) => {
      timer = setTimeout(() => {
        load().then(
          (component) => setLoaded(() => component),
          () => tryAfter(RETRY_MS),
        );
      }, ms);
    };
    tryAfter(FIRST_MS);
    return () => clearTimeout(timer);
  }, [load]);
  return loaded;
}
