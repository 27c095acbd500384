import { createHash } from 'node:crypto';

/**
 * Returns a hash for the name of a key in Redis. Clients and vendors choose idempotency keys and ids, and a hash of them
 * is short and has no separators.
 */
export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('base64url');
}
