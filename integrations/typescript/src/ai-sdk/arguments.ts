import type { JsonObject } from '@toolgate/client';

/**
 * The input of a tool as the gate sees it. A value that JSON would silently lose, such as the entries of a map, is an
 * error: the gate would decide about less than the tool receives.
 */
export function jsonArguments(input: unknown): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new TypeError('The input of a tool under the gate must be an object.');
  }
  const text = JSON.stringify(input, function (this: Record<string, unknown>, key: string, value: unknown) {
    if (!survives(value) || (value === undefined && Array.isArray(this))) {
      throw new TypeError(`The input has a value at '${key}' that JSON cannot hold, so the gate cannot decide about it.`);
    }
    return value;
  });
  return JSON.parse(text) as JsonObject;
}

// Values with a toJSON method, such as dates and URLs, have been converted already.
function survives(value: unknown): boolean {
  switch (typeof value) {
    case 'object': {
      const prototype: unknown = value === null || Array.isArray(value) ? null : Object.getPrototypeOf(value);
      return prototype === null || Object.getPrototypeOf(prototype) === null;
    }
    case 'number':
      return Number.isFinite(value);
    case 'bigint':
    case 'function':
    case 'symbol':
      return false;
    default:
      return true;
  }
}

/**
 * What to run the tool with: exactly what the gate has permitted. The input itself is used if it is still the same, because it may have
 * dates where JSON has text.
 */
export function permittedInput(input: unknown, permitted: JsonObject): unknown {
  try {
    return inOrder(jsonArguments(input)) === inOrder(permitted) ? input : permitted;
  } catch {
    return permitted;
  }
}

/** JSON whose fields are in the order of their names. */
function inOrder(json: JsonObject): string {
  return JSON.stringify(json, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  );
}
