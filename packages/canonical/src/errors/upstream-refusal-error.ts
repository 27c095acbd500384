import type { GatewayError } from './gateway-error.ts';

/** An upstream's refusal. Its `error` is safe to send to clients. */
export class UpstreamRefusalError extends Error {
  readonly status: number;
  readonly error: GatewayError;
  /** Whether the upstream declared that a retry would fail or do harm. */
  readonly isFinal: boolean;

  constructor(status: number, error: GatewayError, isFinal = false) {
    super(error.message, { cause: error });
    this.name = 'UpstreamRefusalError';
    this.status = status;
    this.error = error;
    this.isFinal = isFinal;
  }
}
