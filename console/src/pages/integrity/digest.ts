import { canonical, ExactNumber, withDigits, type Json } from './exactJson';

/** Fields of a record that are not part of its digest: its place in the chain, which the hash covers, and its id. */
const OUTSIDE = new Set(['type', 'id', 'instance_id', 'sequence', 'hash', 'previous_hash']);
/** Left out of digests, because nearly all records have it. */
const UNSTORED: Record<string, string> = { executed_by: 'gate' };
const BOOLEANS = new Set(['allowed']);
const INTEGERS = new Set(['execution_time_ms', 'masked_characters', 'digest_version']);
const COST_DIGITS = 6;
/** The fields of the first version of the digest in their order; the last ones only if they are not empty. */
const FIRST = [
  'tenant_id',
  'request_id',
  'timestamp',
  'agent_id',
  'session_id',
  'workspace_id',
  'project_id',
  'tool_name',
  'operation',
  'parameters',
  'allowed',
  'status',
  'error_code',
  'denial_reason',
  'approved_by',
  'execution_time_ms',
  'result_summary',
  'cost',
];
const FIRST_OPTIONAL = ['principal', 'approved_at', 'approval_reason', 'approval_rule_id'];

type Fields = Map<string, Json>;

const encoder = new TextEncoder();

/** The SHA-256 digest of fields, each after its length, so that different lists never have the same input. */
export async function digest(fields: (string | null)[]): Promise<string> {
  const encoded = fields.map((field) => (field === null ? null : encoder.encode(field)));
  const bytes = new Uint8Array(encoded.reduce((size, field) => size + 4 + (field?.length ?? 0), 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of encoded) {
    view.setInt32(at, field?.length ?? -1);
    at += 4;
    if (field !== null) {
      bytes.set(field, at);
      at += field.length;
    }
  }
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The value of a column as the digest uses it; `undefined` if it has a type that the column cannot have. */
function textOf(name: string, value: Json | undefined): string | null | undefined {
  if (value === undefined || value === null || value === UNSTORED[name]) {
    return null;
  }
  if (name === 'parameters') {
    return value instanceof Map ? canonical(value) : undefined;
  }
  if (BOOLEANS.has(name)) {
    return typeof value === 'boolean' ? String(value) : undefined;
  }
  if (INTEGERS.has(name)) {
    return value instanceof ExactNumber && /^\d+$/.test(value.text) ? value.text : undefined;
  }
  if (name === 'cost') {
    return value instanceof ExactNumber ? (withDigits(value, COST_DIGITS) ?? undefined) : undefined;
  }
  return typeof value === 'string' ? value : undefined;
}

/** The fields that the digest of a record is made of; `null` if it would not cover every value of the record. */
function digested(record: Fields): (string | null)[] | null {
  const texts = new Map<string, string | null>();
  for (const [name, value] of record) {
    if (!OUTSIDE.has(name)) {
      const text = textOf(name, value);
      if (text === undefined) {
        return null;
      }
      texts.set(name, text);
    }
  }
  const get = (name: string) => texts.get(name) ?? null;
  switch (get('digest_version') ?? '1') {
    case '1':
      return covered(texts) ? first(get) : null;
    case '2': {
      const names = [...texts.keys()].filter((name) => get(name) !== null).sort((one, other) => (one < other ? -1 : 1));
      return [null, ...names.flatMap((name) => [name, get(name)])];
    }
    default:
      return null;
  }
}

function covered(texts: Map<string, string | null>): boolean {
  return [...texts].every(
    ([name, text]) =>
      text === null ||
      FIRST.includes(name) ||
      FIRST_OPTIONAL.includes(name) ||
      name === 'digest_version' ||
      (name === 'kind' && text === 'call'),
  );
}

function first(get: (name: string) => string | null): (string | null)[] {
  const fields = FIRST.map(get);
  if (get('principal') !== null) {
    fields.push(get('principal'));
  }
  if (FIRST_OPTIONAL.slice(1).some((name) => get(name) !== null)) {
    fields.push(get('approved_at'), get('approval_reason'));
    if (get('approval_rule_id') !== null) {
      fields.push(get('approval_rule_id'));
    }
  }
  return fields;
}

/** The place of an entry in the chain of the server that wrote it. */
export interface Link {
  instance: string;
  sequence: number;
  previous: string;
  hash: string;
}

export interface Head {
  instance: string;
  sequence: number;
  hash: string;
}

async function covers(link: Link, content: (string | null)[]): Promise<boolean> {
  const inner = await digest(content);
  return link.hash === (await digest([link.instance, String(link.sequence), link.previous, inner]));
}

/** Whether a record matches its own hash. */
export async function isRecordUnchanged(record: Fields, link: Link): Promise<boolean> {
  const content = digested(record);
  return content !== null && covers(link, content);
}

/** Whether an anchor matches its own hash. */
export function isAnchorUnchanged(at: string, heads: Head[], link: Link): Promise<boolean> {
  const content = ['\u0001anchor', at];
  heads.forEach((head) => content.push(head.instance, String(head.sequence), head.hash));
  return covers(link, content);
}
