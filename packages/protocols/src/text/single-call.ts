import type { GenerationRequest } from '@sluice/canonical';

/** A request that implies one call at a time without stating it. */
interface ImpliedSingleCall extends GenerationRequest {
  parallelToolCalls: false;
  isSingleCallImplied: true;
}

/**
 * Limits a request to one call at a time for clients that support no more, such as those that use `functions`. An
 * upstream
 * without this option is no loss, because the client did not request it.
 */
export function implySingleCall(request: GenerationRequest): ImpliedSingleCall {
  return { ...request, parallelToolCalls: false, isSingleCallImplied: true };
}

/** Whether the client itself requested one call at a time. */
export function saysSingleCall(request: GenerationRequest): boolean {
  return request.parallelToolCalls === false && !('isSingleCallImplied' in request);
}
