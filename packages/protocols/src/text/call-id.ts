import { createHash } from 'node:crypto';

/** Every vendor accepts 1–64 of `[A-Za-z0-9_-]`. Equal ids stay equal, so that calls and results still match. */
export function safeCallId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
