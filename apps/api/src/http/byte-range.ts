import type { ByteRange } from '@sluice/tasks';

/**
 * Reads a `Range` header (RFC 9110, 14.2).
 * @returns the range; `whole` when the header is absent, not understood, or asks for several ranges, all of which the
 *   RFC lets a server answer with the whole file; `unsatisfiable` when it begins past the end
 */
export function parseRange(header: string | undefined, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (start >= bytes) return 'unsatisfiable';
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return end < start ? 'whole' : { start, end };
}
