import { isRecord } from './is-record.ts';

/** A JSON object whose members are not checked yet. */
export type JsonObject = Record<string, unknown>;

/** The value if it is an object, otherwise undefined. */
export function asObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** The value if it is an object, otherwise an empty one. */
export function objectOrEmpty(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** The fields if any of them is set, otherwise undefined. */
export function asNonEmptyObject<T extends object>(fields: T): T | undefined {
  return Object.values(fields).some((value) => value !== undefined) ? fields : undefined;
}

/** The value if it is a string, otherwise undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value if it is a string of at least one character, otherwise undefined. */
export function asNonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value if it is a finite number, otherwise undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The value if it is an array, otherwise an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; none for anything else. */
export function asObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Whether an optional member was sent: null counts as left out. */
export function isSet<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}

/** Parses JSON text. @returns undefined for anything but an object */
export function parseObject(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}
