import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';
import { volcError } from './volc-error.ts';

/** Formats a response. Its `status` has the same value as its `code`. */
export function jimengResponse(requestId: string, code: number, message: string, data: object | null): object {
  return { code, data, message, request_id: requestId, status: code, time_elapsed: '1.000000ms' };
}

/** The outer `code` is the error's code, and `data` is usually null (Jimeng docs, "Error Codes"). */
export function jimengError(status: number, code: number, message: string, data: object | null = null): WireError {
  return new WireError(status, message, (requestId) => jimengResponse(requestId, code, message, data));
}

export function invalidInput(field: string, problem: string): WireError {
  return jimengError(400, 50_215, `Input invalid for this service. ${field} ${problem}`);
}

export const formatJimengError = errorTable(jimengError, (detail) => ({
  malformed: [400, 50_200, `Parse request body failed: ${detail}`],
  refused: [400, 50_215, 'Input invalid for this service.'],
  moderation: [400, 50_412, 'Text Risk Not Pass'],
  // This name is from Volcengine's other services, because Jimeng's docs do not specify one.
  balance: volcError(403, 'AccountOverdueError', undefined, 'Your account has an overdue balance.'),
  throttled: [429, 50_429, 'Request Has Reached API Limit, Please Try Later'],
  concurrency: [429, 50_430, 'Request Has Reached API Concurrent Limit, Please Try Later'],
  // Volcengine's gateway in front of Jimeng reports this error.
  unavailable: volcError(503, 'ServiceUnavailableTemp', undefined, 'Service Unavailable Temporarily.'),
  broken: [500, 50_500, 'Internal Error'],
  not_found: [200, 10_000, 'Success', { status: 'not_found' }],
  unknown_call: volcError(404, 'InvalidActionOrVersion', 100_008, `Could not find operation ${detail}.`),
}));
