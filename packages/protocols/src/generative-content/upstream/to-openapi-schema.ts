import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

const KEPT = [
  'description',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
] as const;
const FORMATS = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double']);
const DEEPEST = 40;
/** Inlined references can grow without bounds; no tool needs more. */
const MAX_SCHEMAS = 10_000;

interface Place {
  root: JsonObject;
  /** References on the way to this schema; a repeated one is a cycle. */
  refs: readonly string[];
  depth: number;
  spend: () => void;
}

/**
 * Reduces JSON Schema to the OpenAPI subset of older Gemini models and Vertex: definitions inlined, constants as enums,
 * `null` types as `nullable`, unions as `anyOf`, intersections merged, unknown keywords dropped.
 * @returns undefined for an object without properties, which those models reject: the field must be omitted
 * @throws GatewayError `invalid_request` when its references expand to more than 10,000 schemas
 */
export function toOpenApiSchema(schema: JsonObject): JsonObject | undefined {
  let left = MAX_SCHEMAS;
  const spend = () => {
    left -= 1;
    if (left < 0)
      throw new GatewayError(
        'invalid_request',
        `A schema must expand to at most ${MAX_SCHEMAS} schemas once its references are inlined.`,
      );
  };
  const converted = convert(schema, { root: schema, refs: [], depth: 0, spend });
  return converted['type'] === 'OBJECT' && converted['properties'] === undefined ? undefined : converted;
}

function convert(schema: unknown, place: Place): JsonObject {
  place.spend();
  // `true` and schemas nested too deeply allow anything; the API needs a type.
  if (!isRecord(schema) || place.depth > DEEPEST) return { type: 'STRING' };
  const ref = schema['$ref'];
  if (typeof ref === 'string') return followed(ref, schema, place);
  const whole = merged(schema, place);
  const below: Place = { ...place, depth: place.depth + 1 };
  const types = typesOf(whole);
  const real = types.filter((type) => type !== 'null');
  const nullable = types.length > real.length || whole['nullable'] === true;
  const kept: JsonObject = {};
  for (const key of KEPT) if (whole[key] !== undefined) kept[key] = whole[key];

  const branches = whole['anyOf'] ?? whole['oneOf'];
  if (Array.isArray(branches)) return union(branches, whole, nullable, below);
  if (real.length > 1) {
    const each = real.map((type) => convert({ ...whole, type, nullable: false }, below));
    return { anyOf: each, ...described(whole), ...(nullable && { nullable }) };
  }
  return { ...kept, ...typed(real[0], whole, below), ...(nullable && { nullable }) };
}

function typed(type: string | undefined, schema: JsonObject, below: Place): JsonObject {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  // The API allows only strings in enums.
  if (Array.isArray(values)) {
    const texts = values.filter((value) => value !== null).map((value) => asText(value));
    const isNullable = texts.length < values.length;
    return { type: 'STRING', ...(texts.length > 0 && { enum: texts }), ...(isNullable && { nullable: true }) };
  }
  const format = schema['format'];
  const known = { ...(typeof format === 'string' && FORMATS.has(format) && { format }) };
  const kind = type ?? (isRecord(schema['properties']) ? 'object' : schema['items'] === undefined ? 'string' : 'array');
  if (kind === 'object') return { type: 'OBJECT', ...objectMembers(schema, below) };
  if (kind === 'array') return { type: 'ARRAY', items: items(schema, below) };
  return { type: kind.toUpperCase(), ...known };
}

function objectMembers(schema: JsonObject, below: Place): JsonObject {
  const given = schema['properties'];
  if (!isRecord(given) || Object.keys(given).length === 0) return {};
  const properties = Object.fromEntries(Object.entries(given).map(([name, inner]) => [name, convert(inner, below)]));
  const { required: wanted } = schema;
  const required = Array.isArray(wanted)
    ? wanted.filter((name): name is string => typeof name === 'string' && Object.hasOwn(given, name))
    : [];
  return { properties, ...(required.length > 0 && { required }) };
}

/** An array needs the type of its items; for a tuple it is a union. */
function items(schema: JsonObject, below: Place): JsonObject {
  const places = Array.isArray(schema['items']) ? schema['items'] : schema['prefixItems'];
  if (!Array.isArray(places)) return convert(schema['items'], below);
  return places.length === 1 ? convert(places[0], below) : union(places, {}, false, below);
}

function union(branches: readonly unknown[], schema: JsonObject, nullable: boolean, below: Place): JsonObject {
  const real = branches.filter((branch) => !isNull(branch));
  const orNull = nullable || real.length < branches.length;
  const tail = { ...described(schema), ...(orNull && { nullable: true }) };
  if (real.length === 1) return { ...convert(real[0], below), ...tail };
  if (real.length === 0) return { type: 'STRING', ...tail };
  return { anyOf: real.map((branch) => convert(branch, below)), ...tail };
}

/** Merges `allOf` with its sibling keywords. */
function merged(schema: JsonObject, place: Place): JsonObject {
  const all = schema['allOf'];
  if (!Array.isArray(all)) return schema;
  const { allOf: _, ...own } = schema;
  const inner = all.flatMap((part: unknown): JsonObject[] => resolved(part, place));
  const parts = [...inner.map((part) => merged(part, { ...place, depth: place.depth + 1 })), own];
  const properties = Object.assign({}, ...parts.map((part) => record(part['properties']))) as JsonObject; // of records alone
  const required = parts.flatMap((part) => list(part['required']));
  return {
    ...(Object.assign({}, ...parts) as JsonObject), // of records alone
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** @returns no schema or one */
function resolved(part: unknown, place: Place): JsonObject[] {
  place.spend();
  if (!isRecord(part) || place.depth > DEEPEST) return [];
  const found = typeof part['$ref'] === 'string' ? lookUp(part['$ref'], place.root) : part;
  return found ? [found] : [];
}

function followed(ref: string, schema: JsonObject, place: Place): JsonObject {
  const target = lookUp(ref, place.root);
  if (!target || place.refs.includes(ref)) return { type: 'OBJECT', ...described(schema) };
  const inner = convert(target, { ...place, refs: [...place.refs, ref], depth: place.depth + 1 });
  return { ...inner, ...described(schema) };
}

/** Resolves `#/$defs/a/b` against the root schema. */
function lookUp(ref: string, root: JsonObject): JsonObject | undefined {
  if (!ref.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return isRecord(found) ? found : undefined;
}

function typesOf({ type }: JsonObject): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((one): one is string => typeof one === 'string').map((one) => one.toLowerCase());
}

function isNull(branch: unknown): boolean {
  return isRecord(branch) && branch['type'] === 'null';
}

function described({ description }: JsonObject): JsonObject {
  return typeof description === 'string' ? { description } : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function record(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
