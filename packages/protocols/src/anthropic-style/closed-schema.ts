import { isRecord } from '../json/is-record.ts';
import type { JsonObject } from '../json/values.ts';

/** Keywords that structured outputs support without changes (Anthropic, "JSON Schema limitations"). */
const SUPPORTED = new Set(['type', 'title', 'description', 'enum', 'const', 'required', '$ref', 'default']);
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']);

/**
 * Converts a schema for `output_config.format`. Disallows additional properties on every object and moves unsupported
 * constraints to the description.
 */
export function closedSchema(schema: JsonObject): JsonObject {
  const closed: JsonObject = {};
  const notes: string[] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema' || key === '$id' || key === 'additionalProperties') continue;
    if (!convertKeyword(closed, key, value)) notes.push(`${key}: ${JSON.stringify(value)}`);
  }
  if (isObjectType(schema['type']) || 'properties' in closed) closed['additionalProperties'] = false;
  if (notes.length > 0) {
    const note = `{${notes.join(', ')}}`;
    const { description } = closed;
    closed['description'] = typeof description === 'string' ? `${description}\n\n${note}` : note;
  }
  return closed;
}

/** @returns whether the keyword is supported */
function convertKeyword(closed: JsonObject, key: string, value: unknown): boolean {
  if (SUPPORTED.has(key)) closed[key] = value;
  else if (key === 'properties' || key === '$defs' || key === 'definitions') closed[key] = closeValues(value);
  else if (key === 'anyOf' || key === 'oneOf') closed['anyOf'] = closeAll(value);
  else if (key === 'allOf') closed[key] = closeAll(value);
  else if (key === 'items') closed[key] = isRecord(value) ? closedSchema(value) : value;
  else if (key === 'format' && typeof value === 'string' && FORMATS.has(value)) closed[key] = value;
  else if (key === 'minItems' && (value === 0 || value === 1)) closed[key] = value;
  else return false;
  return true;
}

function isObjectType(type: unknown): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function closeAll(value: unknown): unknown {
  return Array.isArray(value) ? value.map((part: unknown) => (isRecord(part) ? closedSchema(part) : part)) : value;
}

function closeValues(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, isRecord(part) ? closedSchema(part) : part]),
  );
}
