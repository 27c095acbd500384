import { WireError } from '../../http/wire-error.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { BodyError } from '../../schema/check-body.ts';

/** Formats `{detail}`. If the request is invalid, the detail starts with the request id. */
export function jinaError(status: number, detail: string, headers: Record<string, string> = {}): WireError {
  return new WireError(status, detail, () => ({ detail }), headers);
}

export function jinaInvalid({ kind, field, message }: BodyError): WireError {
  const problem =
    kind === 'unknown' ? 'Extra inputs are not permitted' : kind === 'missing' ? 'Field required' : message;
  const where = ['body', ...(field === '' ? [] : [field])].join(' -> ');
  const detail = `Validation error: '${where}' ${problem}.`;
  return new WireError(422, detail, (id) => ({ detail: `[RID: ${id}] ${detail}` }));
}

const FAULTS: Record<TextFault, WireError> = {
  unauthorized: jinaError(401, 'Invalid API key'),
  throttled: jinaError(429, 'Rate limit exceeded. Please retry in 1s.', { 'retry-after': '1' }),
  broken: jinaError(500, 'Internal Server Error'),
  overloaded: jinaError(503, 'Service temporarily unavailable'),
  context: jinaInvalid({
    kind: 'invalid',
    field: 'input',
    message: 'Single text cannot exceed 8192 tokens. 16384 tokens given',
  }),
};

export const formatJinaFault = (fault: TextFault): WireError => FAULTS[fault];
