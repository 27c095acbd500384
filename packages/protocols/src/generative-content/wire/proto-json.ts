import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from '../../json/values.ts';

/** An object with members. Clients send the empty object for "nothing", so it counts as absent. */
export function filledRecord(value: unknown): JsonObject | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The objects of an array. A single object counts as an array of one, as it does for the vendor. */
export function records(value: unknown): JsonObject[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
