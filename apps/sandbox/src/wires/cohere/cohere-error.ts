import type { z } from 'zod';
import { WireError } from '../../http/wire-error.ts';
import { deepestIssue, valueAt } from '../../schema/deepest-issue.ts';
import type { TextFault } from '../../text/text-faults.ts';

export function cohereError(status: number, message: string, headers: Record<string, string> = {}): WireError {
  return new WireError(status, message, (id) => ({ id, message }), headers);
}

export function invalidRequest(message: string): WireError {
  return cohereError(400, `invalid request: ${message}`);
}

const FAULTS: Record<TextFault, WireError> = {
  unauthorized: cohereError(401, 'invalid api token'),
  throttled: cohereError(429, 'Please wait and try again later', { 'retry-after': '1' }),
  broken: cohereError(500, 'internal server error, this has been reported to our developers.'),
  overloaded: cohereError(503, 'service unavailable, please try again later'),
  context: cohereError(400, 'too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs.'),
};

export const formatCohereFault = (fault: TextFault): WireError => FAULTS[fault];

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function explain(error: z.ZodError, body: unknown): WireError {
  const [first] = error.issues;
  if (first === undefined) return invalidRequest('invalid body');
  const { issue, path } = deepestIssue(first);
  if (issue.code === 'unrecognized_keys') {
    return cohereError(422, `unknown field: parameter '${issue.keys[0]}' is not a valid field`);
  }
  const field = path.map(String).join('.');
  const value = valueAt(body, path);
  if (field === 'model' && value === undefined) {
    return cohereError(400, 'a model parameter is required for this endpoint.');
  }
  if (value === undefined) return invalidRequest(`${field} is required`);
  if (issue.code === 'invalid_type') {
    const types = `is of type ${typeName(value)} but should be of type ${issue.expected}`;
    return cohereError(400, `invalid type: parameter ${field} ${types}.`);
  }
  return invalidRequest(issue.code === 'custom' ? issue.message : `${field}: ${issue.message}`);
}

/** @throws WireError 422 for unknown fields, 400 otherwise. */
export function checkCohereBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body ?? {});
  if (read.success) return read.data;
  throw explain(read.error, body);
}
