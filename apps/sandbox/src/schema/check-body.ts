import type { z } from 'zod';
import type { WireError } from '../http/wire-error.ts';
import { deepestIssue, formatPath, valueAt } from './deepest-issue.ts';

/** The first error of a body. Each vendor API reports it in the vendor's format. */
export interface BodyError {
  /** `unknown` means that the vendor or the model does not have this field. */
  kind: 'missing' | 'unknown' | 'invalid';
  /** The field's path, such as `input.media[0].url`; empty for the entire body. */
  field: string;
  message: string;
}

function faultOf(error: z.ZodError, body: unknown): BodyError {
  const [first] = error.issues;
  if (first === undefined) return { kind: 'invalid', field: '', message: 'invalid' };
  const { issue, path } = deepestIssue(first);
  if (issue.code === 'unrecognized_keys') {
    return { kind: 'unknown', field: formatPath([...path, issue.keys[0] ?? '']), message: 'not supported' };
  }
  // A custom rule may cover several fields, so a missing value does not mean that its own field is missing.
  const missing = issue.code !== 'custom' && valueAt(body, path) === undefined;
  return { kind: missing ? 'missing' : 'invalid', field: formatPath(path), message: issue.message };
}

/** @throws the error that `refuse` creates. */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown, refuse: (fault: BodyError) => WireError): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  throw refuse(faultOf(read.error, body));
}
