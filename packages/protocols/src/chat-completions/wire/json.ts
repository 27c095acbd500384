import { isRecord } from '../../json/is-record.ts';

/** A JSON object whose members nobody has looked at yet. */
export type JsonObject = Record<string, unknown>;

/** The value as text; undefined when it is none, or empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value as an object; an empty one when it is none. */
export function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

/** The value as a list; an empty one when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether an optional member was sent: null counts as left out. */
export function isGiven<T>(value: T | null | undefined): value is T {
  return value !== undefined && value !== null;
}
