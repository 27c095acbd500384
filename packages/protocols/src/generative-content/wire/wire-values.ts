import { isRecord } from '../../json/is-record.ts';
export { amount } from '../../json/amount.ts';

export type Wire = Record<string, unknown>;

/** An object with members. Clients send the empty object for "nothing", so it counts as absent. */
export function filledRecord(value: unknown): Wire | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The objects of an array. A single object counts as an array of one, as it does for the vendor. */
export function records(value: unknown): Wire[] {
  if (isRecord(value)) return [value];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
