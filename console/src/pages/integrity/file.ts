import { t } from '../../strings';
import { ChainCheck, type Ends, type Fault } from './chain';
import { isAnchorUnchanged, isRecordUnchanged, type Head, type Link } from './digest';
import { ExactNumber, parseExactly, type Json } from './exactJson';

type Fields = Map<string, Json>;

export interface FileReport {
  records: number;
  anchors: number;
  faults: Fault[];
}

/** A file that is not an export, or an incomplete one. */
export class DamagedFile extends Error {}

const VERSION = '1';
/** The number of entries whose hashes are computed concurrently. */
const BATCH = 256;
const MAX_LINE = 64 * 1024 * 1024;

/** The lines of a file, decompressed if needed; `read` is called with the number of bytes read. */
async function* linesOf(file: Blob, read: (bytes: number) => void): AsyncGenerator<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const packed = start[0] === 0x1f && start[1] === 0x8b;
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, out) {
        read(chunk.length);
        out.enqueue(chunk);
      },
    }),
  );
  const bytes = packed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  const reader = bytes.pipeThrough(new TextDecoderStream('utf-8', { fatal: true })).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        break;
      }
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE) {
        throw new DamagedFile(t.integrity.damaged.header);
      }
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (rest.trim() !== '') {
    yield rest;
  }
}

function text(fields: Fields, name: string): string {
  const value = fields.get(name);
  if (typeof value !== 'string') {
    throw new SyntaxError(name);
  }
  return value;
}

function whole(fields: Fields, name: string): number {
  const value = fields.get(name);
  if (!(value instanceof ExactNumber) || !/^\d{1,15}$/.test(value.text)) {
    throw new SyntaxError(name);
  }
  return Number(value.text);
}

function headOf(value: Json): Head {
  if (!(value instanceof Map)) {
    throw new SyntaxError('head');
  }
  return { instance: text(value, 'instance_id'), sequence: whole(value, 'sequence'), hash: text(value, 'hash') };
}

function linkOf(fields: Fields): Link {
  return { ...headOf(fields), previous: text(fields, 'previous_hash') };
}

function endsOf(fields: Fields): Ends {
  return {
    instance: text(fields, 'instance_id'),
    prunedSequence: whole(fields, 'pruned_sequence'),
    prunedHash: text(fields, 'pruned_hash'),
    lastSequence: whole(fields, 'last_sequence'),
    lastHash: text(fields, 'last_hash'),
  };
}

interface Entry {
  link: Link;
  heads: Head[] | null;
  unchanged: Promise<boolean>;
}

function entryOf(type: string, fields: Fields): Entry | null {
  if (type === 'record') {
    const link = linkOf(fields);
    return { link, heads: null, unchanged: isRecordUnchanged(fields, link) };
  }
  if (type === 'anchor') {
    const link = linkOf(fields);
    const given = fields.get('heads');
    const heads = Array.isArray(given) ? given.map(headOf) : [];
    return { link, heads, unchanged: isAnchorUnchanged(text(fields, 'timestamp'), heads, link) };
  }
  return null;
}

function pause(): Promise<void> {
  return new Promise((resume) => setTimeout(resume));
}

/** Checks an export of chains as `toolgate audit verify FILE` does, without checkpoints, and without sending anything. */
export async function checkFile(
  file: Blob,
  progress: (lines: number, share: number) => void,
  signal: AbortSignal,
): Promise<FileReport> {
  let bytes = 0;
  let line = 0;
  let header: Fields | null = null;
  let check: ChainCheck | null = null;
  let ended: number | null = null;
  const ends: Ends[] = [];
  const claims: Head[] = [];
  let batch: Entry[] = [];
  const work = async () => {
    const results = await Promise.all(batch.map((each) => each.unchanged));
    batch.forEach((each, at) => check?.entry(each.link, each.heads, results[at] ?? false));
    batch = [];
    progress(line, file.size === 0 ? 1 : bytes / file.size);
    await pause();
    signal.throwIfAborted();
  };
  const understand = (fields: Fields) => {
    const type = text(fields, 'type');
    if (header === null) {
      const version = fields.get('version');
      if (type !== 'audit_export' || !(version instanceof ExactNumber) || version.text !== VERSION) {
        throw new DamagedFile(t.integrity.damaged.header);
      }
      header = fields;
      return;
    }
    if (ended !== null) {
      throw new DamagedFile(t.integrity.damaged.more(line));
    }
    if (check === null && type === 'chain' && claims.length === 0) {
      ends.push(endsOf(fields));
      return;
    }
    if (check === null && type === 'claim') {
      claims.push(headOf(fields));
      return;
    }
    check ??= new ChainCheck(text(header, 'extent') === 'whole', ends, claims);
    if (type === 'end') {
      ended = whole(fields, 'records');
      return;
    }
    const entry = entryOf(type, fields);
    if (entry === null) {
      throw new DamagedFile(t.integrity.damaged.type(line));
    }
    batch.push(entry);
  };
  try {
    for await (const each of linesOf(file, (count) => (bytes += count))) {
      line++;
      const fields = parseExactly(each);
      if (!(fields instanceof Map)) {
        throw new SyntaxError('not an object');
      }
      understand(fields);
      if (batch.length >= BATCH) {
        await work();
      }
    }
  } catch (problem) {
    if (problem instanceof DamagedFile || signal.aborted) {
      throw problem;
    }
    // Invalid JSON, invalid UTF-8, or corrupt compression.
    throw new DamagedFile(line <= 1 ? t.integrity.damaged.header : t.integrity.damaged.line(line));
  }
  if (check === null || ended === null) {
    throw new DamagedFile(header === null ? t.integrity.damaged.header : t.integrity.damaged.truncated);
  }
  await work();
  const done: ChainCheck = check;
  done.finish();
  return { records: done.records, anchors: done.anchors, faults: done.faults };
}
