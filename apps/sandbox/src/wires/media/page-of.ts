import type { WireError } from '../../http/wire-error.ts';

interface QueryNumber {
  min: number;
  max: number;
  otherwise: number;
}

export function queryNumber(text: unknown, { min, max, otherwise }: QueryNumber, refuse: () => WireError): number {
  if (text === undefined) return otherwise;
  const value = typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw refuse();
  return value;
}

export function queryTexts(value: unknown): string[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((text) => typeof text === 'string');
}

/** @param page number of the page, starting at 1. */
export function pageOf<T>(all: readonly T[], page: number, size: number): T[] {
  return all.slice((page - 1) * size, page * size);
}
