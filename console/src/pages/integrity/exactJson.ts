/** A number as it is written: a double would lose digits, and the digest would differ. */
export class ExactNumber {
  constructor(readonly text: string) {}
}

export type Json = null | boolean | string | ExactNumber | Json[] | Map<string, Json>;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: [string, null | boolean][] = [
  ['null', null],
  ['true', true],
  ['false', false],
];
const MAX_DEPTH = 1000;
const MAX_EXPONENT = 400;

/** Parses JSON without loss; throws if it is invalid or has duplicate names. */
export function parseExactly(text: string): Json {
  let at = 0;
  const token = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  const is = (sign: string): boolean => {
    token(SPACE);
    if (text[at] !== sign) {
      return false;
    }
    at++;
    return true;
  };
  const need = (sign: string) => {
    if (!is(sign)) {
      throw new SyntaxError(`Expected ${sign} at ${at}`);
    }
  };
  const string = (): string => {
    token(SPACE);
    const found = token(STRING);
    if (found === null) {
      throw new SyntaxError(`Expected a string at ${at}`);
    }
    return JSON.parse(found) as string;
  };
  const value = (depth: number): Json => {
    if (depth > MAX_DEPTH) {
      throw new SyntaxError('Nested too deeply');
    }
    if (is('{')) {
      const fields = new Map<string, Json>();
      if (!is('}')) {
        do {
          const name = string();
          need(':');
          if (fields.has(name)) {
            throw new SyntaxError(`Duplicate name ${name}`);
          }
          fields.set(name, value(depth + 1));
        } while (is(','));
        need('}');
      }
      return fields;
    }
    if (is('[')) {
      const items: Json[] = [];
      if (!is(']')) {
        do {
          items.push(value(depth + 1));
        } while (is(','));
        need(']');
      }
      return items;
    }
    if (text[at] === '"') {
      return string();
    }
    for (const [word, meaning] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meaning;
      }
    }
    const number = token(NUMBER);
    if (number === null || number === '') {
      throw new SyntaxError(`Expected a value at ${at}`);
    }
    return new ExactNumber(number);
  };
  const whole = value(0);
  token(SPACE);
  if (at !== text.length) {
    throw new SyntaxError(`Unexpected content at ${at}`);
  }
  return whole;
}

/** The digits of a decimal number without its leading zeros, and how many of them come after the point. */
function decimal(text: string): { sign: string; digits: string; scale: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return { sign, digits: (whole + fraction).replace(/^0+(?=\d)/, ''), scale: fraction.length - Number(exponent) };
}

/** In its shortest form, as the server writes it: without trailing zeros, with an exponent where the point is far off. */
function shortest(number: ExactNumber): string {
  let { sign, digits, scale } = decimal(number.text);
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  digits = digits.slice(0, digits.length - zeros);
  scale -= zeros;
  if (digits === '') {
    return '0';
  }
  let written: string;
  const adjusted = digits.length - 1 - scale;
  if (scale === 0) {
    written = digits;
  } else if (scale > 0 && adjusted >= -6) {
    const padded = digits.padStart(scale + 1, '0');
    written = `${padded.slice(0, padded.length - scale)}.${padded.slice(padded.length - scale)}`;
  } else {
    const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
    written = adjusted === 0 ? mantissa : `${mantissa}E${adjusted > 0 ? '+' : ''}${adjusted}`;
  }
  const sane = Math.abs(digits.length - scale) <= MAX_EXPONENT && Math.abs(scale) <= MAX_EXPONENT;
  return sane ? sign + written : JSON.stringify(sign + written);
}

/** With exactly this many digits after the point and no exponent; `null` if it has more. */
export function withDigits(number: ExactNumber, count: number): string | null {
  let { sign, digits, scale } = decimal(number.text);
  while (scale > count && digits.endsWith('0')) {
    digits = digits.slice(0, -1);
    scale--;
  }
  if (scale > count || count - scale > MAX_EXPONENT) {
    return null;
  }
  const padded = (digits + '0'.repeat(count - scale)).padStart(count + 1, '0');
  return `${sign}${padded.slice(0, padded.length - count)}.${padded.slice(padded.length - count)}`;
}

const SHORT: Record<string, string> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

function quoted(text: string): string {
  const escaped = text.replace(
    /["\\\u0000-\u001f]/g,
    (sign) => SHORT[sign] ?? `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${escaped}"`;
}

/** Canonical JSON as the server digests it: sorted names, numbers in their shortest form. */
export function canonical(value: Json): string {
  if (typeof value === 'string') {
    return quoted(value);
  }
  if (value instanceof ExactNumber) {
    return shortest(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (value instanceof Map) {
    const names = [...value.keys()].sort((one, other) => (one < other ? -1 : 1));
    return `{${names.map((name) => `${quoted(name)}:${canonical(value.get(name)!)}`).join(',')}}`;
  }
  return String(value);
}
