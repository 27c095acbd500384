import type { GatewayError } from './gateway-error.ts';

/** An upstream's refusal. Its message is safe to show to clients. */
export class UpstreamRefusalError extends Error {
  readonly status: number;
  /** The error to send to the client. */
  readonly error: GatewayError;

  constructor(status: number, error: GatewayError) {
    super(error.message, { cause: error });
    this.name = 'UpstreamRefusalError';
    this.status = status;
    this.error = error;
  }
}
