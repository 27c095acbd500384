import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';

/** RFC 7807 with `detail`, `status`, and `title` (Replicate docs, "HTTP API"). */
export function replicateError(
  status: number,
  title: string,
  detail: string,
  headers: Record<string, string> = {},
): WireError {
  return new WireError(status, detail, () => ({ title, detail, status }), headers);
}

/** Replicate docs, "Input validation failed". */
export function invalidInput(problem: string): WireError {
  return replicateError(422, 'Input validation failed', `- input${problem}\n`);
}

export const formatReplicateError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return replicateError(400, 'Bad Request', `The request body is not valid: ${detail}`);
    case 'refused':
      return invalidInput(': The input is not valid for this model');
    case 'moderation':
      return replicateError(400, 'Bad Request', 'The prompt was flagged as sensitive. (E005)');
    case 'balance':
      return replicateError(402, 'Insufficient credit', 'You have insufficient credit to run this model.');
    case 'throttled':
    case 'concurrency': {
      const message = 'Request was throttled. Your rate limit resets in ~1s.';
      return replicateError(429, 'Too Many Requests', message, { 'retry-after': '1' });
    }
    case 'unavailable':
      return replicateError(503, 'Service Unavailable', 'Replicate is down for maintenance.');
    case 'broken':
      return replicateError(500, 'Internal Server Error', 'Internal server error');
    case 'not_found':
      return replicateError(404, 'Not Found', 'The requested resource could not be found.');
    case 'unknown_call':
      return replicateError(404, 'Not Found', `There is no ${detail}.`);
  }
};
