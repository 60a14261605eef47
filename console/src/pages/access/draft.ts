import { useSyncExternalStore } from 'react';
import type { Permission } from '../../api/types';
import type { BulkChange, Look } from './model';

/** The terms of an allowed cell: all that the API has, since a change replaces them all. */
export interface Terms {
  requires_approval?: boolean;
  condition?: string;
  condition_examples?: NonNullable<Permission['condition_examples']>;
  expires_at?: string;
  max_uses?: number;
  notes?: string;
}

/** The wanted state of a cell. */
export type Wanted = { kind: 'allow'; terms: Terms } | { kind: 'refuse' } | { kind: 'clear' };

export interface DraftCell {
  agent: string;
  tool: string;
  wanted: Wanted;
}

interface Stored {
  /** The version of the permissions at which the draft was begun. */
  version: number;
  cells: DraftCell[];
}

const PLACE = 'toolgate-access-draft';
const EMPTY: Stored = { version: 0, cells: [] };

function key(agent: string, tool: string): string {
  return JSON.stringify([agent, tool]);
}

/**
 * Changes that are not applied yet. Kept in the tab's storage: neither a reload nor a log-in that ended loses them.
 */
class Draft {
  private stored: Stored = read();
  private byCell = index(this.stored);
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = () => this.stored;

  at(agent: string, tool: string): Wanted | undefined {
    return this.byCell.get(key(agent, tool));
  }

  /** Sets the wanted state of cells; `null` removes them from the draft. */
  set(version: number, cells: { agent: string; tool: string; wanted: Wanted | null }[]): void {
    const changed = new Map(this.stored.cells.map((cell) => [key(cell.agent, cell.tool), cell]));
    for (const { agent, tool, wanted } of cells) {
      if (wanted === null) {
        changed.delete(key(agent, tool));
      } else {
        changed.set(key(agent, tool), { agent, tool, wanted });
      }
    }
    this.put({ version: this.stored.cells.length === 0 ? version : this.stored.version, cells: [...changed.values()] });
  }

  /** Continues from the permissions of this version. */
  rebase(version: number): void {
    this.put({ ...this.stored, version });
  }

  discard(): void {
    this.put(EMPTY);
  }

  private put(next: Stored): void {
    this.stored = next;
    this.byCell = index(next);
    try {
      sessionStorage.setItem(PLACE, JSON.stringify(next));
    } catch {
      // The storage is full or turned off; the draft lasts as long as the page.
    }
    this.listeners.forEach((listener) => listener());
  }
}

function read(): Stored {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null');
    if (found !== null && typeof found === 'object' && 'cells' in found && Array.isArray(found.cells)) {
      return found as Stored;
    }
  } catch {
    // Unreadable, so the draft is empty.
  }
  return EMPTY;
}

function index(stored: Stored): Map<string, Wanted> {
  return new Map(stored.cells.map((cell) => [key(cell.agent, cell.tool), cell.wanted]));
}

export const draft = new Draft();

export function useDraft(): Stored {
  return useSyncExternalStore(draft.subscribe, draft.snapshot);
}

export function lookOfWanted(wanted: Wanted): Look {
  switch (wanted.kind) {
    case 'clear':
      return 'unset';
    case 'refuse':
      return 'refused';
    case 'allow':
      return wanted.terms.requires_approval === true
        ? 'approval'
        : wanted.terms.condition !== undefined
          ? 'conditional'
          : wanted.terms.expires_at !== undefined || wanted.terms.max_uses !== undefined
            ? 'ending'
            : 'allowed';
  }
}

/** The wanted state that equals this permission; without one, the cell is cleared. */
export function wantedOf(permission: Permission | undefined): Wanted {
  if (permission === undefined) {
    return { kind: 'clear' };
  }
  if (!permission.allowed) {
    return { kind: 'refuse' };
  }
  return {
    kind: 'allow',
    terms: {
      ...(permission.requires_approval && { requires_approval: true }),
      ...(permission.condition !== null && { condition: permission.condition }),
      ...(permission.condition_examples !== null && { condition_examples: permission.condition_examples }),
      ...(permission.expires_at !== null && { expires_at: permission.expires_at }),
      ...(permission.max_uses !== null && { max_uses: permission.max_uses }),
      ...(permission.notes !== null && permission.notes !== '' && { notes: permission.notes }),
    },
  };
}

/** The next state on Space: allowed, allowed after approval, refused, not set, and unchanged again. */
export function cycled(now: Wanted | undefined): Wanted | null {
  if (now === undefined) {
    return { kind: 'allow', terms: {} };
  }
  switch (now.kind) {
    case 'allow':
      return now.terms.requires_approval === true
        ? { kind: 'refuse' }
        : { kind: 'allow', terms: { requires_approval: true } };
    case 'refuse':
      return { kind: 'clear' };
    case 'clear':
      return null;
  }
}

/** A cell of the draft in the format of the API. */
export function changeOf({ agent, tool, wanted }: DraftCell): BulkChange {
  return changeFor({ agent_id: agent }, tool, wanted);
}

/** A change for an agent or a group in the format of the API. */
export function changeFor(holder: { agent_id: string } | { group_id: string }, tool: string, wanted: Wanted): BulkChange {
  const where = { ...holder, tool_name: tool };
  switch (wanted.kind) {
    case 'clear':
      return { ...where, clear: true } as BulkChange;
    case 'refuse':
      return { ...where, allowed: false } as BulkChange;
    case 'allow':
      return { ...where, allowed: true, ...wanted.terms } as BulkChange;
  }
}
