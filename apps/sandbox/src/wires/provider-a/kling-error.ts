import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';

/** Formats `{code, message, request_id}` (Kling docs, "Error Code"). */
export function klingError(status: number, code: number, message: string): WireError {
  return new WireError(status, message, (requestId) => ({ code, message, request_id: requestId }));
}

export function invalidField(field: string, problem: string): WireError {
  return klingError(400, 1201, `${field} ${problem}`);
}

export const formatKlingError = errorTable(klingError, (detail) => ({
  malformed: [400, 1200, `Invalid request parameters: ${detail}`],
  refused: [400, 1201, 'Invalid parameters'],
  moderation: [400, 1301, 'Trigger the content security policy of the platform'],
  // Requests over the rate limit also get 429, so the status alone does not show whether a retry helps.
  balance: [429, 1102, 'Resource pack depleted or expired'],
  throttled: [429, 1302, 'The API request is too fast, exceeding the platform rate limit'],
  concurrency: [429, 1303, 'parallel task over resource pack limit'],
  unavailable: [503, 5001, 'Server temporarily unavailable, usually due to maintenance'],
  broken: [500, 5000, 'Server internal error'],
  not_found: [404, 1203, `Task not found: ${detail}`],
  unknown_call: [404, 1202, `The requested method is invalid: ${detail}`],
}));
