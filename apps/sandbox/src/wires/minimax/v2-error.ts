import { WireError } from '../../http/wire-error.ts';
import type { BodyError } from '../../schema/check-body.ts';
import { errorTable } from '../media/format-error.ts';
import { bodyProblem } from './minimax-wire.ts';

/** Source: MiniMax docs for v2, "Create video generation task". */
const TYPES: Readonly<Record<number, string>> = {
  400: 'bad_request_error',
  401: 'authorized_error',
  402: 'insufficient_balance_error',
  404: 'not_found_error',
  422: 'unprocessable_entity_error',
  429: 'rate_limit_error',
  500: 'server_error',
  529: 'overloaded_error',
};

/** Formats `{type, error: {type, message, http_code}, request_id}`. The message ends with the v1 error code. */
export function v2Error(status: number, code: number, message: string): WireError {
  const error = { type: TYPES[status] ?? 'server_error', message: `${message} (${code})`, http_code: String(status) };
  return new WireError(status, message, (requestId) => ({ type: 'error', error, request_id: requestId }));
}

export function badRequest(problem: string): WireError {
  return v2Error(400, 2013, `invalid params, ${problem}`);
}

export const explainV2 = (error: BodyError): WireError => badRequest(bodyProblem(error));

export const formatV2Error = errorTable(v2Error, (detail) => ({
  malformed: badRequest(`the body is no JSON object ${detail}`.trim()),
  refused: [400, 2013, 'invalid params'],
  moderation: [422, 1026, 'video description contains sensitive content'],
  balance: [402, 1008, 'insufficient balance'],
  throttled: [429, 1002, 'rate limit, please retry later'],
  concurrency: [429, 1041, 'conn limit'],
  unavailable: [529, 2064, 'the server is overloaded, please retry later'],
  broken: [500, 1000, 'internal error'],
  not_found: badRequest(`invalid task_id ${detail}`.trim()),
  unknown_call: [404, 2013, `no such path: ${detail}`],
}));
