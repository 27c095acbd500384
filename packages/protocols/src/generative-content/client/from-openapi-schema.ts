import { isRecord } from '../../json/is-record.ts';
import { invalidField } from '../../json/json-field.ts';
import { amount } from '../../json/amount.ts';
import { asArray, type JsonObject, ownMember } from '../../json/values.ts';

const CAMEL_CASE_KEYS: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  max_items: 'maxItems',
  min_items: 'minItems',
  max_length: 'maxLength',
  min_length: 'minLength',
  max_properties: 'maxProperties',
  min_properties: 'minProperties',
};
const GEMINI_KEYWORDS = new Set(['nullable', 'propertyOrdering', 'property_ordering']);
/** Protocol buffer formats, which strict JSON Schema validators reject. */
const PROTOBUF_FORMATS = new Set(['enum', 'int32', 'int64', 'float', 'double']);
/** Limits sent as strings, because protocol buffers encode 64-bit integers as strings. */
const COUNTS = new Set(['maxItems', 'minItems', 'maxLength', 'minLength', 'maxProperties', 'minProperties']);
const MAX_DEPTH = 100;

/**
 * Converts Gemini's `Schema` (an OpenAPI 3.0 subset with upper-case types) to JSON Schema. JSON Schema input is not
 * changed.
 * @param param the schema's field, for errors
 * @throws GatewayError `invalid_request` if the schema is nested deeper than 100 levels
 */
export function fromOpenApiSchema(schema: JsonObject, param: string): JsonObject {
  return convert(schema, param, 0);
}

function convert(schema: JsonObject, param: string, depth: number): JsonObject {
  if (depth > MAX_DEPTH) throw invalidField(param, `is nested too deeply. Use at most ${MAX_DEPTH} levels`);
  const convertInner = (value: unknown) => (isRecord(value) ? convert(value, param, depth + 1) : value);
  const entries: [string, unknown][] = [];
  for (const [sentKey, value] of Object.entries(schema)) {
    if (GEMINI_KEYWORDS.has(sentKey) || value === null) continue;
    if (sentKey === 'example') {
      entries.push(['examples', [value]]);
      continue;
    }
    const key = ownMember(CAMEL_CASE_KEYS, sentKey) ?? sentKey;
    const ordered = key === 'properties' ? inOrder(value, schema) : value;
    const converted = convertMember(key, ordered, convertInner);
    if (converted !== undefined) entries.push([key, converted]);
  }
  const result: JsonObject = Object.fromEntries(entries);
  return schema['nullable'] === true ? orNull(result) : result;
}

function convertMember(key: string, value: unknown, convertInner: (value: unknown) => unknown): unknown {
  if (key === 'type') return lowerType(value);
  if (key === 'format') return typeof value === 'string' && PROTOBUF_FORMATS.has(value) ? undefined : value;
  if (COUNTS.has(key)) return amount(value) ?? value;
  if (key === 'properties' || key === '$defs' || key === 'definitions') {
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convertInner(inner)]));
  }
  if (key === 'items' || key === 'additionalProperties' || key === 'not') return convertInner(value);
  if (key === 'anyOf' || key === 'oneOf' || key === 'allOf' || key === 'prefixItems') {
    return Array.isArray(value) ? value.map(convertInner) : value;
  }
  return value;
}

/** Moves the properties that `propertyOrdering` lists to the front. */
function inOrder(properties: unknown, schema: JsonObject): unknown {
  const order = asArray(schema['propertyOrdering'] ?? schema['property_ordering']);
  if (!isRecord(properties)) return properties;
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.fromEntries(Object.entries(properties).toSorted(([a], [b]) => rank(a) - rank(b)));
}

function lowerType(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(lowerType);
  if (typeof type !== 'string') return type;
  return type === 'TYPE_UNSPECIFIED' ? undefined : type.toLowerCase();
}

function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  const allowed = schema['enum'];
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' && { type: [type, 'null'] }),
    // The cast is safe because an enum can contain any JSON value.
    ...(Array.isArray(allowed) && !allowed.includes(null) && { enum: [...(allowed as unknown[]), null] }),
    // The cast is safe because the schemas were converted above.
    ...(Array.isArray(schema['anyOf']) && { anyOf: [...(schema['anyOf'] as unknown[]), { type: 'null' }] }),
  };
}
