const ACCEPTED = /^[a-zA-Z0-9_-]{1,64}$/;
const KEPT = 55;

/** A name that models accept (letters, digits, dash and underscore, at most 64): the same, or a readable one with a digest. */
export function modelName(name: string): string {
  return ACCEPTED.test(name) ? name : `${name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, KEPT)}_${digest(name)}`;
}

// 32-bit FNV-1a: synchronous, available everywhere, and enough to distinguish similar names.
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
