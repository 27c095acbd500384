import { GatewayError } from '@sluice/canonical';
import { expect } from 'vitest';

/** The error for an invalid field; `undefined` for an invalid body. */
export function refusal(param: string | undefined, code = 'invalid_request'): unknown {
  return expect.objectContaining({ code, param, name: 'GatewayError' });
}

/** Runs a decoder on arbitrary input; fails for any error that is not a GatewayError. */
export function onlyGatewayErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(['invalid_request', 'unsupported_parameter', 'payload_too_large']).toContain(error.code);
  }
}
