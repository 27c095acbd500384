/** `start` and `end` are byte offsets; `end` is inclusive. */
export type ByteRange = 'complete' | 'unsatisfiable' | { start: number; end: number };

/** Parses a `Range` header (RFC 9110 §14.2). Several ranges, other units, and malformed values are ignored. */
export function parseByteRange(header: string | undefined, length: number): ByteRange {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'complete';
  if (first === '') {
    const suffix = Math.min(Number(last), length);
    return suffix === 0 ? 'unsatisfiable' : { start: length - suffix, end: length - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return 'complete';
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length - 1 : Math.min(Number(last), length - 1) };
}
