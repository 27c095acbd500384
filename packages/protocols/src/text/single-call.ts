import type { GenerationRequest } from '@sluice/canonical';

interface ImpliedSingleCall extends GenerationRequest {
  parallelToolCalls: false;
  isSingleCallImplied: true;
}

/**
 * For clients that support only one call at a time, such as those that use `functions`. An upstream without this option
 * is no loss, because the client did not request it.
 */
export function implySingleCall(request: GenerationRequest): ImpliedSingleCall {
  return { ...request, parallelToolCalls: false, isSingleCallImplied: true };
}

export function requestsSingleCall(request: GenerationRequest): boolean {
  return request.parallelToolCalls === false && !('isSingleCallImplied' in request);
}
