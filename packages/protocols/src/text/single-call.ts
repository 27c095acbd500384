import type { GenerationRequest } from '@sluice/canonical';

interface ImpliedSingleCall extends GenerationRequest {
  parallelToolCalls: false;
  isSingleCallImplied: true;
}

/**
 * Limits a request to one call at a time, for clients that support no more (e.g. clients that send `functions`). If the
 * upstream lacks this option, no loss is reported, because the client did not request it.
 */
export function implySingleCall(request: GenerationRequest): ImpliedSingleCall {
  return { ...request, parallelToolCalls: false, isSingleCallImplied: true };
}

export function requestsSingleCall(request: GenerationRequest): boolean {
  return request.parallelToolCalls === false && !('isSingleCallImplied' in request);
}
