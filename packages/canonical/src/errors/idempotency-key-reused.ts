import { GatewayError } from './gateway-error.ts';

/** The error for an `Idempotency-Key` that was sent with another request before. */
export function idempotencyKeyReused(): GatewayError {
  return new GatewayError(
    'idempotency_key_reused',
    'This `Idempotency-Key` was used for another request. Use a new key, or send the same request.',
    { param: 'Idempotency-Key' },
  );
}
