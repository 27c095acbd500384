import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import type { FormatError } from '../media/format-error.ts';

export const SUCCESS = { status_code: 0, status_msg: 'success' };

/** Errors come with HTTP 200 and a code in `base_resp` (MiniMax docs, "Error Codes"). */
export function v1Error(code: number, message: string, status = 200): WireError {
  return new WireError(status, message, () => ({ base_resp: { status_code: code, status_msg: message } }));
}

export function invalidParams(problem: string): WireError {
  return v1Error(2013, `invalid params, ${problem}`);
}

export function explainV1({ kind, field, message }: BodyError): WireError {
  switch (kind) {
    case 'missing':
      return invalidParams(`${field} is required`);
    case 'unknown':
      return invalidParams(`${field} is not supported`);
    case 'invalid':
      return invalidParams(`${field}: ${message}`);
  }
}

export const formatV1Error: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return invalidParams(`the body is no JSON object ${detail}`.trim());
    case 'refused':
      return invalidParams('prompt');
    case 'moderation':
      return v1Error(1026, 'video description contains sensitive content');
    case 'balance':
      return v1Error(1008, 'insufficient balance');
    case 'throttled':
      return v1Error(1002, 'rate limit, please retry later');
    case 'concurrency':
      return v1Error(1041, 'conn limit');
    // Reported by the server in front, hence with its own status.
    case 'unavailable':
      return v1Error(1033, 'system error', 503);
    case 'broken':
      return v1Error(1000, 'unknown error');
    case 'not_found':
      return invalidParams(`invalid task_id ${detail}`.trim());
    case 'unknown_call':
      return v1Error(2013, `invalid params, no such path: ${detail}`, 404);
  }
};
