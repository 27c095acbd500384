import { createHash } from 'node:crypto';

/**
 * Makes an id valid for every vendor: 1 to 64 characters of `[A-Za-z0-9_-]`. Equal ids stay equal, so that results
 * still match their calls.
 */
export function safeCallId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
