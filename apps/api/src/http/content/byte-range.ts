import type { ByteRange } from '@sluice/content';

/** Parses a `Range` header (RFC 9110, 14.2). @returns `complete` for a missing, unsupported, or multi-part range */
export function parseRange(header: string | undefined, bytes: number): ByteRange | 'complete' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'complete';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (start >= bytes) return 'unsatisfiable';
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return end < start ? 'complete' : { start, end };
}
