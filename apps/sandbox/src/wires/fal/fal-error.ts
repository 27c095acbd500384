import { WireError } from '../../http/wire-error.ts';
import { errorTable } from '../media/format-error.ts';

/** One error of a request, in fal's format (fal docs, "Model Errors"). */
export interface FalProblem {
  loc: (string | number)[];
  msg: string;
  type: string;
  url: string;
  ctx?: Record<string, unknown>;
  input?: unknown;
}

interface ProblemFacts {
  at?: readonly (string | number)[];
  ctx?: Record<string, unknown>;
  input?: unknown;
}

function isSmall(value: unknown): boolean {
  return value !== undefined && !JSON.stringify(value).includes('data:');
}

export function falProblem(type: string, msg: string, { at = [], ctx, input }: ProblemFacts = {}): FalProblem {
  return {
    loc: ['body', ...at],
    msg,
    type,
    url: `https://docs.fal.ai/errors/#${type}`,
    ctx,
    ...(isSmall(input) && { input }),
  };
}

/** Creates an error that is not retryable, because the same input would fail again. */
export function refusalError({ status, detail }: { status: number; detail?: unknown }): WireError {
  return new WireError(status, 'refused by the model', () => ({ detail }), { 'x-fal-retryable': 'false' });
}

/** Source: fal docs, "Model Errors". */
export function modelError(status: number, problems: readonly FalProblem[]): WireError {
  return refusalError({ status, detail: problems });
}

/** Source: fal docs, "Request Error Types". */
export function requestError(status: number, type: string, detail: string): WireError {
  return new WireError(status, detail, () => ({ detail, error_type: type }), { 'x-fal-error-type': type });
}

/** fal's own errors before a model runs contain only a message. */
export function falError(status: number, detail: string): WireError {
  return new WireError(status, detail, () => ({ detail }));
}

export function unsupported(): FalProblem {
  return falProblem('feature_not_supported', 'Feature not supported');
}

export function flagged(prompt?: string): FalProblem {
  const msg = 'The content could not be processed because it contained material flagged by a content checker.';
  return falProblem('content_policy_violation', msg, { at: ['prompt'], input: prompt });
}

export const formatFalError = errorTable(falError, (detail) => ({
  malformed: requestError(400, 'bad_request', `Invalid request body: ${detail}`),
  refused: modelError(422, [unsupported()]),
  moderation: modelError(422, [flagged()]),
  // Message reported by users with locked accounts: https://github.com/fal-ai/fal/issues/1112.
  balance: [403, 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.'],
  throttled: [429, 'Too many requests. Please slow down.'],
  concurrency: [429, 'Concurrent requests limit reached.'],
  unavailable: requestError(503, 'runner_scheduling_failure', 'No runner could be allocated to handle the request'),
  broken: requestError(500, 'internal_error', 'An unexpected internal error occurred'),
  not_found: [404, `Request ${detail} not found`],
  unknown_call: [404, 'Not Found'],
}));
