import { GatewayError } from '@sluice/canonical';
import { expect } from 'vitest';

/** Matches the error for an invalid field, or for an invalid body if `param` is undefined. */
export function refusal(param: string | undefined, code = 'invalid_request'): unknown {
  return expect.objectContaining({ code, param, name: 'GatewayError' });
}

/** Runs a decoder on arbitrary input. Fails on any error that is not a GatewayError. */
export function onlyGatewayErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(['invalid_request', 'unsupported_parameter', 'payload_too_large']).toContain(error.code);
  }
}
