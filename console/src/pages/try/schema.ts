/** The part of JSON Schema that forms support; anything else becomes a JSON field. */
export interface Schema {
  type?: string | string[];
  description?: string;
  title?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  $ref?: string;
}

/** The plan of a form field. */
export type Plan =
  | { kind: 'text'; schema: Schema }
  | { kind: 'choice'; schema: Schema; values: unknown[] }
  | { kind: 'number'; schema: Schema; whole: boolean }
  | { kind: 'boolean'; schema: Schema }
  | { kind: 'list'; schema: Schema; item: Plan }
  | { kind: 'object'; schema: Schema; fields: { name: string; required: boolean; plan: Plan }[] }
  | { kind: 'json'; schema: Schema };

/** Marks typed text that is not a valid value. */
export const INVALID = Symbol('invalid');

/** Schemas may come from MCP servers: those too deep or too wide for a form become JSON fields. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 60;
const MAX_CHOICES = 200;

/** The form field for a schema. */
export function planOf(schema: unknown, root: unknown = schema, depth = 0): Plan {
  const known = resolved(schema, root);
  if (known === null || depth > MAX_DEPTH) {
    return { kind: 'json', schema: known ?? {} };
  }
  if (known.const !== undefined) {
    return { kind: 'choice', schema: known, values: [known.const] };
  }
  if (Array.isArray(known.enum) && known.enum.length > 0 && known.enum.length <= MAX_CHOICES) {
    return { kind: 'choice', schema: known, values: known.enum };
  }
  switch (typeOf(known)) {
    case 'string':
      return { kind: 'text', schema: known };
    case 'integer':
      return { kind: 'number', schema: known, whole: true };
    case 'number':
      return { kind: 'number', schema: known, whole: false };
    case 'boolean':
      return { kind: 'boolean', schema: known };
    case 'array': {
      const item = known.items === undefined ? null : planOf(known.items, root, depth + 1);
      return item === null || item.kind === 'json'
        ? { kind: 'json', schema: known }
        : { kind: 'list', schema: known, item };
    }
    case 'object': {
      const names = Object.keys(known.properties ?? {});
      if (names.length > MAX_FIELDS || (names.length === 0 && depth > 0)) {
        return { kind: 'json', schema: known };
      }
      const required = Array.isArray(known.required) ? known.required : [];
      const fields = names.map((name) => ({
        name,
        required: required.includes(name),
        plan: planOf(known.properties?.[name], root, depth + 1),
      }));
      // Required fields come first.
      return { kind: 'object', schema: known, fields: fields.sort((one, other) => Number(other.required) - Number(one.required)) };
    }
    default:
      return { kind: 'json', schema: known };
  }
}

function typeOf(schema: Schema): string | undefined {
  const types = [schema.type].flat().filter((type) => type !== 'null' && type !== undefined);
  return types.length === 1 ? types[0] : undefined;
}

/** The schema itself: references within the document are resolved, and a nullable type is treated as the type. */
function resolved(schema: unknown, root: unknown, steps = 0): Schema | null {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema) || steps > MAX_DEPTH) {
    return null;
  }
  const known = schema as Schema;
  if (typeof known.$ref === 'string') {
    const path = known.$ref.startsWith('#/') ? known.$ref.slice(2).split('/') : null;
    let target: unknown = path === null ? undefined : root;
    for (const name of path ?? []) {
      target =
        target !== null && typeof target === 'object' && Object.hasOwn(target, name)
          ? (target as Record<string, unknown>)[name]
          : undefined;
    }
    return resolved(target, root, steps + 1);
  }
  const options = (known.anyOf ?? known.oneOf)?.filter((each) => (each as Schema | null)?.type !== 'null');
  if (options !== undefined && known.type === undefined) {
    const only = options.length === 1 ? resolved(options[0], root, steps + 1) : null;
    return only === null ? { ...describedBy(known) } : { ...only, ...describedBy(known) };
  }
  return known;
}

function describedBy(schema: Schema): Schema {
  return typeof schema.description === 'string' ? { description: schema.description } : {};
}

/** Whether a typed value is invalid. */
export function isInvalid(value: unknown): boolean {
  if (value === INVALID) {
    return true;
  }
  return value !== null && typeof value === 'object' && Object.values(value).some(isInvalid);
}

/** A JSON text as a value; an empty one is left out. */
export function parsed(text: string): unknown {
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return INVALID;
  }
}
