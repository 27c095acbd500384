import type { z } from 'zod';
import type { WireError } from '../http/wire-error.ts';
import { deepestIssue, valueAt } from './deepest-issue.ts';

/** The first thing that is wrong with a body, for a wire to say in its vendor's words. */
export interface BodyError {
  /** `unknown`: a field that the vendor, or the model, does not have. */
  kind: 'missing' | 'unknown' | 'invalid';
  /** Such as `input.media[0].url`; empty for the body as a whole. */
  field: string;
  /** What would have been right. */
  message: string;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

function faultOf(error: z.ZodError, body: unknown): BodyError {
  const [first] = error.issues;
  if (first === undefined) return { kind: 'invalid', field: '', message: 'invalid' };
  const { issue, path } = deepestIssue(first);
  if (issue.code === 'unrecognized_keys') {
    return { kind: 'unknown', field: formatPath([...path, issue.keys[0] ?? '']), message: 'not supported' };
  }
  // A rule of the caller's own may look at several fields, one of which is then missing.
  const missing = issue.code !== 'custom' && valueAt(body, path) === undefined;
  return { kind: missing ? 'missing' : 'invalid', field: formatPath(path), message: issue.message };
}

/**
 * Checks a body.
 * @param refuse says what is wrong in the vendor's words.
 * @throws what `refuse` makes.
 */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown, refuse: (fault: BodyError) => WireError): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw refuse(faultOf(read.error, body));
}
