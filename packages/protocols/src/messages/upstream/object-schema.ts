import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Converts a tool's schema for this protocol: an object at the top, without `anyOf`, `oneOf`, or `allOf` there.
 * Branches
 * merge into one object that requires everything of `allOf` and what the other branches have in common. Deeper levels
 * stay.
 */
export function objectSchema(schema: JsonObject | undefined): JsonObject {
  if (!schema) return { type: 'object', properties: {} };
  const { anyOf, oneOf, allOf, ...rest } = schema;
  const all = branches(allOf);
  const some = [...branches(anyOf), ...branches(oneOf)];
  if (all.length + some.length === 0) return { ...rest, type: 'object', properties: rest['properties'] ?? {} };

  const properties: JsonObject = {};
  for (const part of [rest, ...all, ...some]) Object.assign(properties, propertiesOf(part));
  const always = [rest, ...all].flatMap(requiredOf);
  const shared = some
    .map(requiredOf)
    .reduce<string[] | undefined>(
      (common, names) => common?.filter((name) => names.includes(name)) ?? names,
      undefined,
    );
  const required = [...new Set([...always, ...(shared ?? [])])];
  const { required: _required, ...kept } = rest;
  return { ...kept, type: 'object', properties, ...(required.length > 0 && { required }) };
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
