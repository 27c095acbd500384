import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';
import { volcError } from './volc-error.ts';

/** `status` repeats `code`. */
export interface JimengResponse {
  code: number;
  data: object | null;
  message: string;
  request_id: string;
  status: number;
  time_elapsed: string;
}

export function jimengResponse(requestId: string, code: number, message: string, data: object | null): JimengResponse {
  return { code, data, message, request_id: requestId, status: code, time_elapsed: '1.000000ms' };
}

/** The outer code tells the error; `data` is mostly null (Jimeng docs, "Error Codes"). */
export function jimengError(status: number, code: number, message: string, data: object | null = null): WireError {
  return new WireError(status, message, (requestId) => jimengResponse(requestId, code, message, data));
}

export function invalidInput(field: string, problem: string): WireError {
  return jimengError(400, 50_215, `Input invalid for this service. ${field} ${problem}`);
}

export const formatJimengError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return jimengError(400, 50_200, `Parse request body failed: ${detail}`);
    case 'refused':
      return jimengError(400, 50_215, 'Input invalid for this service.');
    case 'moderation':
      return jimengError(400, 50_412, 'Text Risk Not Pass');
    // The name in Volcengine's other services; Jimeng's docs have none.
    case 'balance':
      return volcError(403, 'AccountOverdueError', undefined, 'Your account has an overdue balance.');
    case 'throttled':
      return jimengError(429, 50_429, 'Request Has Reached API Limit, Please Try Later');
    case 'concurrency':
      return jimengError(429, 50_430, 'Request Has Reached API Concurrent Limit, Please Try Later');
    // Reported by Volcengine's gateway in front of Jimeng.
    case 'unavailable':
      return volcError(503, 'ServiceUnavailableTemp', undefined, 'Service Unavailable Temporarily.');
    case 'broken':
      return jimengError(500, 50_500, 'Internal Error');
    case 'not_found':
      return new WireError(200, 'not found', (requestId) =>
        jimengResponse(requestId, 10_000, 'Success', { status: 'not_found' }),
      );
    case 'unknown_call':
      return volcError(404, 'InvalidActionOrVersion', 100_008, `Could not find operation ${detail}.`);
  }
};
