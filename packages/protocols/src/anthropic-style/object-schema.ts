import { isRecord } from '../json/is-record.ts';
import type { JsonObject } from '../json/values.ts';

/**
 * Converts a tool's schema to an object without `anyOf`, `oneOf`, or `allOf` at the top level. The branches are merged
 * into one object. It requires all required properties of `allOf` branches, and the required properties that all other
 * branches share.
 */
export function objectSchema(schema: JsonObject | undefined): JsonObject {
  if (!schema) return { type: 'object', properties: {} };
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const all = branches(allOf);
  const alternatives = [...branches(anyOf), ...branches(oneOf)];
  if (all.length + alternatives.length === 0) return { ...rest, type: 'object', properties: rest['properties'] ?? {} };

  const properties: JsonObject = {};
  for (const part of [rest, ...all, ...alternatives]) Object.assign(properties, propertiesOf(part));
  const always = [rest, ...all].flatMap(requiredOf);
  const shared = alternatives
    .map(requiredOf)
    .reduce<string[] | undefined>(
      (common, names) => common?.filter((name) => names.includes(name)) ?? names,
      undefined,
    );
  const required = [...new Set([...always, ...(shared ?? [])])];
  const { required: _own, ...others } = rest;
  return { ...others, type: 'object', properties, required: required.length > 0 ? required : undefined };
}

function branches(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function propertiesOf({ properties }: JsonObject): JsonObject {
  return isRecord(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
