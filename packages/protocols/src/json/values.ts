import { isRecord } from './is-record.ts';

/** A JSON object with unchecked members. */
export type JsonObject = Record<string, unknown>;

export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

export function objectOrEmpty(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** Returns the fields if any is set, otherwise undefined. */
export function asNonEmptyObject<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the objects in an array, or an empty array for any other value. */
export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the object's own member. A key from the network can be no string, or an inherited name (e.g. `toString`). */
export function ownMember<T>(object: Readonly<Record<string, T>>, key: unknown): T | undefined {
  return typeof key === 'string' && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Whether the value is neither null nor undefined. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** Parses JSON text. @returns undefined if it is not an object */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
