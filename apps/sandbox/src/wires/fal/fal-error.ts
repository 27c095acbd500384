import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from '../media/format-error.ts';

/** One thing that a model finds wrong (fal docs, "Model Errors", error object). */
export interface FalProblem {
  /** Where: `body`, then the field. */
  loc: (string | number)[];
  msg: string;
  /** The machine-readable word. */
  type: string;
  /** Where the word is explained. */
  url: string;
  /** What would have been right. */
  ctx?: Record<string, unknown>;
  /** What was wrong. */
  input?: unknown;
}

/** What a problem tells besides its word. */
interface ProblemFacts {
  /** Below `body`. */
  at?: readonly (string | number)[];
  ctx?: Record<string, unknown>;
  input?: unknown;
}

/** Whether a value may be told again: pictures are measured and not kept. */
function isSmall(value: unknown): boolean {
  return value !== undefined && !JSON.stringify(value).includes('data:');
}

/** Spells a problem. */
export function falProblem(type: string, msg: string, { at = [], ctx, input }: ProblemFacts = {}): FalProblem {
  return {
    loc: ['body', ...at],
    msg,
    type,
    url: `https://docs.fal.ai/errors/#${type}`,
    ...(ctx !== undefined && { ctx }),
    ...(isSmall(input) && { input }),
  };
}

/** What becomes of an input that a model does not take: never retried, as the same input fails again. */
export function refusalError({ status, detail }: { status: number; detail?: unknown }): WireError {
  return new WireError(status, 'refused by the model', () => ({ detail }), { 'x-fal-retryable': 'false' });
}

/** What a model answers that makes nothing (fal docs, "Model Errors"). */
export function modelError(status: number, problems: readonly FalProblem[]): WireError {
  return refusalError({ status, detail: problems });
}

/** What fal itself answers around a model (fal docs, "Request Error Types"). */
export function requestError(status: number, type: string, detail: string): WireError {
  return new WireError(status, detail, () => ({ detail, error_type: type }), { 'x-fal-error-type': type });
}

/** What fal answers before anything is run: a sentence alone. */
export function falError(status: number, detail: string): WireError {
  return new WireError(status, detail, () => ({ detail }));
}

/** The input of a model that cannot take it, without a field that is to blame. */
export function unsupported(): FalProblem {
  return falProblem('feature_not_supported', 'Feature not supported');
}

/** A prompt, or what was made of it, that the audit refuses. */
export function flagged(prompt?: string): FalProblem {
  const msg = 'The content could not be processed because it contained material flagged by a content checker.';
  return falProblem('content_policy_violation', msg, { at: ['prompt'], input: prompt });
}

/** Spells faults as fal does. */
export const formatFalError: FormatError = (fault, detail = '') => {
  switch (fault) {
    case 'malformed':
      return requestError(400, 'bad_request', `Invalid request body: ${detail}`);
    case 'refused':
      return modelError(422, [unsupported()]);
    case 'moderation':
      return modelError(422, [flagged()]);
    // As callers whose accounts were locked report it: https://github.com/fal-ai/fal/issues/1112.
    case 'balance':
      return falError(
        403,
        'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.',
      );
    case 'throttled':
      return falError(429, 'Too many requests. Please slow down.');
    case 'concurrency':
      return falError(429, 'Concurrent requests limit reached.');
    case 'unavailable':
      return requestError(503, 'runner_scheduling_failure', 'No runner could be allocated to handle the request');
    case 'broken':
      return requestError(500, 'internal_error', 'An unexpected internal error occurred');
    case 'not_found':
      return falError(404, `Request ${detail} not found`);
    case 'unknown_call':
      return falError(404, 'Not Found');
  }
};
