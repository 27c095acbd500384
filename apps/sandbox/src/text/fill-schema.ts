import { isObject } from '../schema/json.ts';

type Fields = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 12;
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'PT1S',
  email: 'someone@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function resolve(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  let at: unknown = root;
  for (const step of reference.slice(1).split('/').filter(Boolean)) {
    at = fieldsOf(at)[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return at;
}

function typeOf(schema: Fields): string {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  const firstType = types.find((type) => type.toLowerCase() !== 'null') ?? types[0];
  if (firstType !== undefined) return firstType.toLowerCase();
  if (schema['properties'] !== undefined) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

function textFor(schema: Fields): string {
  const text = FORMATS[String(schema['format'])] ?? 'text';
  const { minLength, maxLength } = schema;
  const long = typeof minLength === 'number' ? text.padEnd(minLength, 't') : text;
  return typeof maxLength === 'number' ? long.slice(0, maxLength) : long;
}

function numberFor(schema: Fields): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const min = typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : minimum;
  if (typeof min === 'number') return min;
  const max = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : maximum;
  return typeof max === 'number' ? Math.min(1, max) : 1;
}

/**
 * Returns a plausible, deterministic value for a JSON schema. Accepts Google's upper-case type names. Unknown types are
 * treated as strings.
 */
export function fillSchema(schema: unknown, root: unknown = schema, depth = 0): unknown {
  const own = fieldsOf(schema);
  const inside = (part: unknown) => fillSchema(part, root, depth + 1);
  if (depth > MAX_DEPTH) return null;
  if (typeof own['$ref'] === 'string') return inside(resolve(root, own['$ref']));
  if ('const' in own) return own['const'];
  if (Array.isArray(own['enum']) && own['enum'].length > 0) return own['enum'][0];
  for (const choice of [own['anyOf'], own['oneOf']]) {
    if (Array.isArray(choice) && choice.length > 0) {
      return inside(choice.find((one) => typeOf(fieldsOf(one)) !== 'null') ?? choice[0]);
    }
  }
  if (Array.isArray(own['allOf']) && own['allOf'].length > 0) {
    const parts = own['allOf'].map(inside);
    return Object.assign({}, ...parts.map(fieldsOf));
  }
  switch (typeOf(own)) {
    case 'object': {
      const properties = fieldsOf(own['properties']);
      const required = Array.isArray(own['required']) ? own['required'].map(String) : [];
      return Object.fromEntries(required.map((name) => [name, inside(properties[name])]));
    }
    case 'array':
      return Array.from({ length: typeof own['minItems'] === 'number' ? own['minItems'] : 1 }, () =>
        inside(own['items']),
      );
    case 'integer':
      return Math.ceil(numberFor(own));
    case 'number':
      return numberFor(own);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return textFor(own);
  }
}
