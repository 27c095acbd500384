import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/**
 * Returns a hash of a JSON value, in hexadecimal. It shows whether a request with the same `Idempotency-Key` repeats
 * another one. The order of members does not matter.
 */
export function requestDigest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
