import { isRecord } from '../../json/is-record.ts';

/** A JSON object whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** A text, or undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number, or undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The objects of a list; no list is an empty one. */
export function recordsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
