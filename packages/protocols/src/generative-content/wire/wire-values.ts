import { isRecord } from '../../json/is-record.ts';
export { amount } from '../../json/amount.ts';

/** A JSON object of unknown members. */
export type Wire = Record<string, unknown>;

/** A JSON object with members; undefined for anything else, the empty object included: clients send it for "nothing". */
export function filledRecord(value: unknown): Wire | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The objects of an array. A single object counts as an array of one, as it does for the vendor. */
export function records(value: unknown): Wire[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A text that says something. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
