import { useEffect, useRef, type RefObject } from 'react';
import { usePreferences } from './preferences';

type Keys = Record<string, () => void>;

/** The second key of a sequence such as `g a` must follow within this time. */
const SEQUENCE_MS = 1500;

const pages: RefObject<Keys>[] = [];
let sequenceBegan = -Infinity;

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** Whether a dialog or menu was open when a key was pressed; the key itself may have closed it. */
let somethingAbove = false;

function look(): void {
  somethingAbove = document.querySelector('[role="dialog"], [role="menu"]') !== null;
}

/** One listener for all pages: a key has one action, and the second key of a sequence has no other. */
function pressed(event: KeyboardEvent): void {
  // The key was handled already, such as an arrow in a list of tabs.
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (event.repeat || isTyping(event.target)) {
    return;
  }
  if (somethingAbove || event.key === 'Shift') {
    return;
  }
  const isSecond = performance.now() - sequenceBegan < SEQUENCE_MS;
  sequenceBegan = -Infinity;
  if (!isSecond && event.key === 'g') {
    sequenceBegan = performance.now();
    return;
  }
  const name = isSecond ? `g ${event.key}` : event.key;
  const action = pages.findLast((page) => page.current[name] !== undefined)?.current[name];
  if (action !== undefined) {
    event.preventDefault();
    action();
  }
}

/** Registers the shortcuts of a page: inactive while typing, in dialogs, and if they are turned off. */
export function useShortcuts(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  const { shortcuts } = usePreferences();
  useEffect(() => {
    if (shortcuts === 'off') {
      return undefined;
    }
    if (pages.push(current) === 1) {
      window.addEventListener('keydown', look, { capture: true });
      window.addEventListener('keydown', pressed);
    }
    return () => {
      pages.splice(pages.indexOf(current), 1);
      if (pages.length === 0) {
        window.removeEventListener('keydown', look, { capture: true });
        window.removeEventListener('keydown', pressed);
      }
    };
  }, [shortcuts]);
}
