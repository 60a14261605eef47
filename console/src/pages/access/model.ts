import type { components } from '#schema';
import type { Tool } from '../../api/types';

type Schemas = components['schemas'];
export type CompactMatrix = Schemas['CompactMatrix'];
export type Meaning = Schemas['CellMeaning'];
export type BulkChange = Schemas['BulkChange'];

/** The look of a cell: the server's states, and one more for grants that end soon. */
export type Look =
  | 'unset'
  | 'allowed'
  | 'group'
  | 'approval'
  | 'conditional'
  | 'ending'
  | 'refused'
  | 'expired'
  | 'used';

export const LOOKS: Look[] = [
  'allowed',
  'group',
  'approval',
  'conditional',
  'ending',
  'refused',
  'used',
  'expired',
  'unset',
];

export interface Row {
  agent: string;
  name: string | null;
  groups: string[];
  cells: string;
}

export interface Column {
  tool: string;
  /** The position of its letter in the cells of a row. */
  at: number;
  exists: boolean;
  category: string;
  dangerous: boolean;
}

export interface Filter {
  tool?: string | undefined;
  agent?: string | undefined;
  category?: string | undefined;
  danger?: string | undefined;
  group?: string | undefined;
  state?: string | undefined;
}

export function lookOf(meaning: Meaning | undefined): Look {
  if (meaning === undefined) {
    return 'unset';
  }
  if (meaning.ends_soon) {
    return 'ending';
  }
  switch (meaning.state) {
    case 'allowed':
      return meaning.source === 'group' ? 'group' : 'allowed';
    case 'needs_approval':
    case 'approval_on_condition':
      return 'approval';
    case 'conditional':
    case 'conditional_with_approval':
      return 'conditional';
    case 'refused':
      return 'refused';
    case 'expired':
      return 'expired';
    case 'used_up':
      return 'used';
    case 'unset':
      return 'unset';
  }
}

/** A text filter: an expression between slashes, otherwise words that must all occur. */
export function matcher(filter: string | undefined): (text: string) => boolean {
  const wanted = (filter ?? '').trim().toLowerCase();
  if (wanted === '') {
    return () => true;
  }
  const expression = /^\/(.+)\/$/.exec(wanted)?.[1];
  if (expression !== undefined) {
    try {
      const pattern = new RegExp(expression, 'i');
      return (text) => pattern.test(text);
    } catch {
      return () => false;
    }
  }
  const words = wanted.split(/\s+/);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

/** The visible part of a matrix: its rows and columns after the filter, columns by category. */
export class View {
  readonly rows: Row[];
  readonly columns: Column[];
  private readonly looks: Map<string, Look>;

  constructor(
    readonly matrix: CompactMatrix,
    tools: Tool[],
    filter: Filter,
  ) {
    this.looks = new Map(Object.entries(matrix.legend).map(([letter, meaning]) => [letter, lookOf(meaning)]));
    const known = new Map(tools.map((tool) => [tool.name, tool]));
    const toolMatches = matcher(filter.tool);
    const agentMatches = matcher(filter.agent);
    const columns = matrix.tools
      .map(({ name, exists }, at) => ({
        tool: name,
        at,
        exists,
        category: known.get(name)?.category ?? '',
        dangerous: known.get(name)?.danger === 'dangerous',
      }))
      .filter(
        (column) =>
          toolMatches(column.tool) &&
          (filter.category === undefined || column.category === filter.category) &&
          (filter.danger === undefined || column.dangerous === (filter.danger === 'dangerous')),
      );
    columns.sort((one, other) => one.category.localeCompare(other.category) || one.tool.localeCompare(other.tool));
    const rows = matrix.agents
      .map((agent) => ({
        agent: agent.agent_id,
        name: agent.name,
        groups: agent.groups.map((group) => matrix.groups[group] ?? ''),
        cells: agent.cells,
      }))
      .filter(
        (row) =>
          (agentMatches(row.agent) || (row.name !== null && agentMatches(row.name))) &&
          (filter.group === undefined || row.groups.includes(filter.group)),
      );
    const state = filter.state;
    this.rows =
      state === undefined
        ? rows
        : rows.filter((row) => columns.some((column) => this.lookAt(row, column) === state));
    this.columns =
      state === undefined
        ? columns
        : columns.filter((column) => this.rows.some((row) => this.lookAt(row, column) === state));
  }

  lookAt(row: Row, column: Column): Look {
    return this.looks.get(row.cells.charAt(column.at)) ?? 'unset';
  }

  meaningAt(row: Row, column: Column): Meaning | undefined {
    return this.matrix.legend[row.cells.charAt(column.at)];
  }
}
