import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';

/** RFC 7807 error with `detail`, `status`, and `title` (Replicate docs, "HTTP API"). */
export function replicateError(status: number, title: string, detail: string, headers: Record<string, string> = {}) {
  return new WireError(status, detail, () => ({ title, detail, status }), headers);
}

/** Source: Replicate docs, "Input validation failed". */
export function invalidInput(problem: string): WireError {
  return replicateError(422, 'Input validation failed', `- input${problem}\n`);
}

const THROTTLED = [
  429,
  'Too Many Requests',
  'Request was throttled. Your rate limit resets in ~1s.',
  { 'retry-after': '1' },
] as const;

export const formatReplicateError = errorTable(replicateError, (detail) => ({
  malformed: [400, 'Bad Request', `The request body is not valid: ${detail}`],
  refused: invalidInput(': The input is not valid for this model'),
  moderation: [400, 'Bad Request', 'The prompt was flagged as sensitive. (E005)'],
  balance: [402, 'Insufficient credit', 'You have insufficient credit to run this model.'],
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [503, 'Service Unavailable', 'Replicate is down for maintenance.'],
  broken: [500, 'Internal Server Error', 'Internal server error'],
  not_found: [404, 'Not Found', 'The requested resource could not be found.'],
  unknown_call: [404, 'Not Found', `There is no ${detail}.`],
}));
