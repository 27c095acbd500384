import type { GenerationRequest } from '@sluice/canonical';

/** A wish for one call at a time that the client has not put into words. */
interface ImpliedSingleCall extends GenerationRequest {
  parallelToolCalls: false;
  isSingleCallImplied: true;
}

/**
 * Asks for one call at a time in the name of a client that can take no more, as those that speak of `functions`. It is asked
 * for where an upstream knows it, but is no loss elsewhere: the client never said it.
 */
export function implySingleCall(request: GenerationRequest): ImpliedSingleCall {
  return { ...request, parallelToolCalls: false, isSingleCallImplied: true };
}

/** Whether the client itself asked for one call at a time. */
export function saysSingleCall(request: GenerationRequest): boolean {
  return request.parallelToolCalls === false && !('isSingleCallImplied' in request);
}
