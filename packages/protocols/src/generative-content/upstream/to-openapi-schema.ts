import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asArray, asObject, asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';

const COPIED_KEYWORDS = 'description minimum maximum minItems maxItems minLength maxLength pattern'.split(' ');
/** Keywords that are converted, or that mean nothing to a model. */
const CONVERTED_KEYWORDS = new Set([
  ...COPIED_KEYWORDS,
  ...`type properties required items prefixItems enum const anyOf oneOf allOf nullable format $ref $defs definitions
    $schema $id additionalProperties`.split(/\s+/),
]);
const FORMATS = new Set(['date-time', 'enum', 'int32', 'int64', 'float', 'double']);
const MAX_DEPTH = 40;
/** Inlined references can grow exponentially. Real tools stay below this limit. */
const MAX_SCHEMAS = 10_000;

interface SchemaContext {
  root: JsonObject;
  /** The references that lead to this schema. A repeated reference is a cycle. */
  refs: readonly string[];
  depth: number;
  /** Counts a schema toward the limit. */
  count: () => void;
  /** Called for each keyword that is dropped. */
  drop: () => void;
}

/**
 * Reduces JSON Schema to the OpenAPI subset that older Gemini models and Vertex support. Definitions are inlined,
 * constants become enums, `null` types become `nullable`, unions become `anyOf`, intersections are merged, and unknown
 * keywords are dropped.
 * @param drop called if a keyword is dropped
 * @returns undefined for an object without properties, which those models reject, so the field must be omitted
 * @throws GatewayError `invalid_request` if references expand to more than 10,000 schemas
 */
export function toOpenApiSchema(schema: JsonObject, drop: () => void): JsonObject | undefined {
  let schemas = 0;
  const count = () => {
    schemas += 1;
    if (schemas <= MAX_SCHEMAS) return;
    const message = `A schema must expand to at most ${MAX_SCHEMAS} schemas once its references are inlined.`;
    throw new GatewayError('invalid_request', message);
  };
  const converted = convert(schema, { root: schema, refs: [], depth: 0, count, drop });
  return converted['type'] === 'OBJECT' && converted['properties'] === undefined ? undefined : converted;
}

function convert(schema: unknown, context: SchemaContext): JsonObject {
  context.count();
  // `true` and deeply nested schemas allow any value, but the API requires a type.
  if (!isRecord(schema) || context.depth > MAX_DEPTH) return { type: 'STRING' };
  const ref = schema['$ref'];
  if (typeof ref === 'string') return convertReference(ref, schema, context);
  const merged = mergeAllOf(schema, context);
  if (Object.keys(merged).some((keyword) => !CONVERTED_KEYWORDS.has(keyword))) context.drop();
  const child: SchemaContext = { ...context, depth: context.depth + 1 };
  const allTypes = typesOf(merged);
  const types = allTypes.filter((type) => type !== 'null');
  const nullable = allTypes.length > types.length || merged['nullable'] === true;

  const branches = merged['anyOf'] ?? merged['oneOf'];
  if (Array.isArray(branches)) return convertUnion(branches, merged, nullable, child);
  if (types.length > 1) {
    const anyOf = types.map((type) => convert({ ...merged, type, nullable: false }, child));
    return { anyOf, ...descriptionOf(merged), ...(nullable && { nullable }) };
  }
  const copied = COPIED_KEYWORDS.filter((key) => merged[key] !== undefined).map((key) => [key, merged[key]]);
  return { ...Object.fromEntries(copied), ...convertTyped(types[0], merged, child), ...(nullable && { nullable }) };
}

function convertTyped(type: string | undefined, schema: JsonObject, child: SchemaContext): JsonObject {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  // The API allows only strings in enums.
  if (Array.isArray(values)) {
    const texts = values.filter((value) => value !== null).map(asText);
    const isNullable = texts.length < values.length;
    return { type: 'STRING', ...(texts.length > 0 && { enum: texts }), ...(isNullable && { nullable: true }) };
  }
  const kind = type ?? (isRecord(schema['properties']) ? 'object' : schema['items'] === undefined ? 'string' : 'array');
  if (kind === 'object') return { type: 'OBJECT', ...convertProperties(schema, child) };
  if (kind === 'array') return { type: 'ARRAY', items: convertItems(schema, child) };
  const format = asString(schema['format']) ?? '';
  if (format !== '' && !FORMATS.has(format)) child.drop();
  return { type: kind.toUpperCase(), ...(FORMATS.has(format) && { format }) };
}

function convertProperties({ properties, required }: JsonObject, child: SchemaContext): JsonObject {
  if (!isRecord(properties) || Object.keys(properties).length === 0) return {};
  const converted = Object.entries(properties).map(([name, schema]) => [name, convert(schema, child)]);
  const known = asArray(required).filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  return { properties: Object.fromEntries(converted), ...(known.length > 0 && { required: known }) };
}

/** An array needs an item type. For a tuple, the item type is a union. */
function convertItems(schema: JsonObject, child: SchemaContext): JsonObject {
  const tuple = Array.isArray(schema['items']) ? schema['items'] : schema['prefixItems'];
  if (!Array.isArray(tuple)) return convert(schema['items'], child);
  return tuple.length === 1 ? convert(tuple[0], child) : convertUnion(tuple, {}, false, child);
}

function convertUnion(
  branches: readonly unknown[],
  schema: JsonObject,
  nullable: boolean,
  child: SchemaContext,
): JsonObject {
  const types = branches.filter((branch) => asObject(branch)?.['type'] !== 'null');
  const orNull = nullable || types.length < branches.length;
  const tail = { ...descriptionOf(schema), ...(orNull && { nullable: true }) };
  if (types.length === 1) return { ...convert(types[0], child), ...tail };
  if (types.length === 0) return { type: 'STRING', ...tail };
  return { anyOf: types.map((branch) => convert(branch, child)), ...tail };
}

/** Merges `allOf` with its sibling keywords. */
function mergeAllOf(schema: JsonObject, context: SchemaContext): JsonObject {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const child = { ...context, depth: context.depth + 1 };
  const resolved = asArray(allOf).map((part) => resolvePart(part, context));
  const parts = [...resolved.map((part) => (part ? mergeAllOf(part, child) : {})), own];
  const properties = parts.flatMap((part) => Object.entries(objectOrEmpty(part['properties'])));
  const required = parts.flatMap((part) => asArray(part['required']));
  return {
    ...Object.fromEntries(parts.flatMap((part) => Object.entries(part))),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

function resolvePart(part: unknown, context: SchemaContext): JsonObject | undefined {
  context.count();
  if (!isRecord(part) || context.depth > MAX_DEPTH) return undefined;
  return typeof part['$ref'] === 'string' ? findReference(part['$ref'], context.root) : part;
}

function convertReference(ref: string, schema: JsonObject, context: SchemaContext): JsonObject {
  const target = findReference(ref, context.root);
  if (!target || context.refs.includes(ref)) return { type: 'OBJECT', ...descriptionOf(schema) };
  const converted = convert(target, { ...context, refs: [...context.refs, ref], depth: context.depth + 1 });
  return { ...converted, ...descriptionOf(schema) };
}

/** Resolves `#/$defs/a/b` against the root schema. */
function findReference(ref: string, root: JsonObject): JsonObject | undefined {
  if (!ref.startsWith('#')) return undefined;
  let target: unknown = root;
  for (const step of ref.slice(1).split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isRecord(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return asObject(target);
}

function typesOf({ type }: JsonObject): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((name): name is string => typeof name === 'string').map((name) => name.toLowerCase());
}

function descriptionOf({ description }: JsonObject): JsonObject {
  return typeof description === 'string' ? { description } : {};
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
