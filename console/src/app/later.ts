import { useEffect, useState, type ComponentType } from 'react';

/** The time that a first page has for itself. */
const FIRST_MS = 1000;
const RETRY_MS = 3000;

/**
 * A component in a file of its own, loaded now or a second after the first page, which need not wait for what it does
 * not show; null until then. A gate that is restarted meanwhile is asked again: the page stays as it is.
 */
export function useLoaded<P>(
  load: () => Promise<ComponentType<P>>,
  when: 'now' | 'later' | 'never',
): ComponentType<P> | null {
  const [loaded, setLoaded] = useState<ComponentType<P> | null>(null);
  const isLoaded = loaded !== null;
  useEffect(() => {
    if (isLoaded || when === 'never') {
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const attempt = () =>
      load().then(
        (component) => !isOver && setLoaded(() => component),
        () => !isOver && tryAfter(RETRY_MS),
      );
    const tryAfter = (ms: number) => {
      timer = setTimeout(() => void attempt(), ms);
    };
    if (when === 'now') {
      void attempt();
    } else {
      tryAfter(FIRST_MS);
    }
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [load, when, isLoaded]);
  return loaded;
}
