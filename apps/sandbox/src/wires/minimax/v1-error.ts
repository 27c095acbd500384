import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { errorTable } from '../media/format-error.ts';
import { bodyProblem } from './minimax-wire.ts';

export const SUCCESS = { status_code: 0, status_msg: 'success' };

/** Errors have HTTP status 200 and a code in `base_resp` (MiniMax docs, "Error Codes"). */
export function v1Error(code: number, message: string, status = 200): WireError {
  return new WireError(status, message, () => ({ base_resp: { status_code: code, status_msg: message } }));
}

export function invalidParams(problem: string): WireError {
  return v1Error(2013, `invalid params, ${problem}`);
}

export const explainV1 = (error: BodyError): WireError => invalidParams(bodyProblem(error));

export const formatV1Error = errorTable(v1Error, (detail) => ({
  malformed: invalidParams(`the body is no JSON object ${detail}`.trim()),
  refused: invalidParams('prompt'),
  moderation: [1026, 'video description contains sensitive content'],
  balance: [1008, 'insufficient balance'],
  throttled: [1002, 'rate limit, please retry later'],
  concurrency: [1041, 'conn limit'],
  // The server in front of the vendor reports this error with an HTTP status.
  unavailable: [1033, 'system error', 503],
  broken: [1000, 'unknown error'],
  not_found: invalidParams(`invalid task_id ${detail}`.trim()),
  unknown_call: [2013, `invalid params, no such path: ${detail}`, 404],
}));
