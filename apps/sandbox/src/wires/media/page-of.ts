import type { WireError } from '../../http/wire-error.ts';

/** A number in a query. */
export interface QueryNumber {
  min: number;
  max: number;
  /** What an absent one means. */
  otherwise: number;
}

/**
 * Reads a whole number of a query.
 * @throws what `refuse` makes, for nonsense and numbers out of range.
 */
export function queryNumber(text: unknown, { min, max, otherwise }: QueryNumber, refuse: () => WireError): number {
  if (text === undefined) return otherwise;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw refuse();
  return value;
}

/** The values of a query's field that may be repeated. */
export function queryTexts(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string');
}

/**
 * Cuts a page out of a list.
 * @param page the first is 1.
 */
export function pageOf<T>(all: readonly T[], page: number, size: number): T[] {
  return all.slice((page - 1) * size, page * size);
}
