import { useEffect, useState } from 'react';

/** The time that a first page has for itself. */
const FIRST_MS = 1000;

/** Turns true after a second, so that a first page and its data need not wait for what they do not show. */
export function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), FIRST_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}
