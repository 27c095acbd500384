import type { z } from 'zod';
import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';

export function runwayError(status: number, error: string, headers?: Record<string, string>): WireError {
  return new WireError(status, error, () => ({ error }), headers);
}

/** Lists the issues in the format of Runway's own zod errors. */
export function invalidBody(issues: readonly Pick<z.core.$ZodIssue, 'code' | 'path' | 'message'>[]): WireError {
  const error = 'Validation of body failed';
  return new WireError(400, error, () => ({ error, issues, docUrl: 'https://docs.dev.runwayml.com/api' }));
}

const INVALID_PROMPT: Parameters<typeof invalidBody>[0] = [
  { code: 'custom', path: ['promptText'], message: 'Invalid input' },
];
const THROTTLED = [429, 'Too many requests', { 'retry-after': '1' }] as const;

export const formatRunwayError = errorTable(runwayError, (detail) => ({
  malformed: [400, `Invalid request body: ${detail}`],
  refused: invalidBody(INVALID_PROMPT),
  moderation: invalidBody(INVALID_PROMPT),
  // Source of the message: https://github.com/runwayml/sdk-node/issues/28
  balance: [400, 'You do not have enough credits to run this task.'],
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: [503, 'Service temporarily unavailable'],
  broken: [500, 'Internal server error'],
  not_found: [404, `Task with ID ${detail} not found`],
  unknown_call: [404, `Not found: ${detail}`],
}));
