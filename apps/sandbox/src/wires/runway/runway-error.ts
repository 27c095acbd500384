import type { z } from 'zod';
import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';

export function runwayError(status: number, error: string, headers?: Record<string, string>): WireError {
  return new WireError(status, error, () => ({ error }), headers);
}

/** Lists the issues as Runway's own zod reports them. */
export function invalidBody(issues: readonly Pick<z.core.$ZodIssue, 'code' | 'path' | 'message'>[]): WireError {
  const error = 'Validation of body failed';
  return new WireError(400, error, () => ({ error, issues, docUrl: 'https://docs.dev.runwayml.com/api' }));
}

export const formatRunwayError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return runwayError(400, `Invalid request body: ${detail}`);
    case 'refused':
    case 'moderation':
      return invalidBody([{ code: 'custom', path: ['promptText'], message: 'Invalid input' }]);
    case 'balance':
      // https://github.com/runwayml/sdk-node/issues/28
      return runwayError(400, 'You do not have enough credits to run this task.');
    case 'throttled':
    case 'concurrency':
      return runwayError(429, 'Too many requests', { 'retry-after': '1' });
    case 'unavailable':
      return runwayError(503, 'Service temporarily unavailable');
    case 'broken':
      return runwayError(500, 'Internal server error');
    case 'not_found':
      return runwayError(404, `Task with ID ${detail} not found`);
    case 'unknown_call':
      return runwayError(404, `Not found: ${detail}`);
  }
};
