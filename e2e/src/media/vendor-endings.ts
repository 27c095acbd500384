import type { VendorKind } from './vendor-kinds.ts';

/** Task outcomes by sandbox directive: `completed`, or an error code. */
const ENDINGS: Record<string, string | ((kind: VendorKind) => string)> = {
  '[fail]': 'provider_error',
  '[moderation]': 'content_policy',
  '[moderated-output]': 'content_policy',
  '[refused]': 'invalid_request',
  '[balance]': 'provider_quota',
  '[429]': 'completed',
  '[503]': 'completed',
  '[500]': 'completed',
  '[garbage]': 'completed',
  '[cut]': 'completed',
  '[expire]': 'content_expired',
  '[expire-once]': 'completed',
  '[lost-reply]': ({ lost }) => (lost === 'found' ? 'completed' : 'submission_unknown'),
  '[lost-request]': ({ kind }) => (kind === 'provider-a' ? 'completed' : 'submission_unknown'),
};

/** Sandbox directives that cause a fault. */
export const FAULT_DIRECTIVES: readonly string[] = Object.keys(ENDINGS);

/** Returns the outcome of a task with this directive and no other fault: `completed`, or an error code. */
export function endingOf(directive: string, kind: VendorKind): string {
  const ending = ENDINGS[directive] ?? 'completed';
  return typeof ending === 'function' ? ending(kind) : ending;
}
