import { GatewayError } from '@sluice/canonical';
import { expect } from 'vitest';

/** What a decoder throws for a field that is wrong; `undefined` for a body that is none. */
export function refusal(param: string | undefined, code = 'invalid_request'): unknown {
  return expect.objectContaining({ code, param, name: 'GatewayError' });
}

/** Runs a decoder on anything; fails when it throws what is no answer for a client. */
export function onlyGatewayErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    expect(['invalid_request', 'unsupported_parameter', 'payload_too_large']).toContain(error.code);
  }
}
