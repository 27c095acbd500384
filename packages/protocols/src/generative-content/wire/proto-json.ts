import { isRecord } from '../../json/is-record.ts';
import { JsonField } from '../../json/json-field.ts';
import type { JsonObject } from '../../json/values.ts';

/** Returns the object if it has any members. Clients send empty objects, which are treated as omitted. */
export function filledRecord(value: unknown): JsonObject | undefined {
  return isRecord(value) && Object.values(value).some((member) => member !== undefined) ? value : undefined;
}

/** Returns the objects in an array. A single object is treated as an array, as in the vendor's API. */
export function records(value: unknown): JsonObject[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns what {@link records} does, with paths. */
export function recordFields({ value, path }: JsonField): JsonField[] {
  const list = isRecord(value) ? [value] : value;
  return new JsonField(Array.isArray(list) ? list : [], path).items().filter((item) => isRecord(item.value));
}
