import { createHash } from 'node:crypto';

/**
 * A tool call's id in the form that every vendor takes: 1–64 of `[A-Za-z0-9_-]`. Most are so already and stay; the same
 * id always gives the same form, so that call and result still meet.
 */
export function safeCallId(id: string): string {
  if (/^[\w-]{1,64}$/.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;
}
