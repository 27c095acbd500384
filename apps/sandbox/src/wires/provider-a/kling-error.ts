import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';

/** `{code, message, request_id}` (Kling docs, "Error Code"). */
export function klingError(status: number, code: number, message: string): WireError {
  return new WireError(status, message, (requestId) => ({ code, message, request_id: requestId }));
}

export function invalidField(field: string, problem: string): WireError {
  return klingError(400, 1201, `${field} ${problem}`);
}

export const formatKlingError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return klingError(400, 1200, `Invalid request parameters: ${detail}`);
    case 'refused':
      return klingError(400, 1201, 'Invalid parameters');
    case 'moderation':
      return klingError(400, 1301, 'Trigger the content security policy of the platform');
    // 429 as well, so the status alone does not show whether a retry helps.
    case 'balance':
      return klingError(429, 1102, 'Resource pack depleted or expired');
    case 'throttled':
      return klingError(429, 1302, 'The API request is too fast, exceeding the platform rate limit');
    case 'concurrency':
      return klingError(429, 1303, 'parallel task over resource pack limit');
    case 'unavailable':
      return klingError(503, 5001, 'Server temporarily unavailable, usually due to maintenance');
    case 'broken':
      return klingError(500, 5000, 'Server internal error');
    case 'not_found':
      return klingError(404, 1203, `Task not found: ${detail}`);
    case 'unknown_call':
      return klingError(404, 1202, `The requested method is invalid: ${detail}`);
  }
};
