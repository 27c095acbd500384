import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/** The object if it has members. Clients send empty objects, which count as absent. */
export function filledRecord(value: unknown): JsonObject | undefined {
  return isRecord(value) && Object.values(value).some((member) => member !== undefined) ? value : undefined;
}

/** The objects of an array. A single object counts as an array of one, as at the vendor. */
export function records(value: unknown): JsonObject[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
