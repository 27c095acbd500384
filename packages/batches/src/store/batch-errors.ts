import { GatewayError, guardStore } from '@sluice/canonical';

export function batchNotFound(): GatewayError {
  return new GatewayError('batch_not_found', 'The batch does not exist, or it was deleted. List the batches.');
}

export function repeatedBatchNotFound(): GatewayError {
  const what = 'The batch of this `Idempotency-Key` no longer exists. Use a new key.';
  return new GatewayError('batch_not_found', what);
}

export function batchEnded(): GatewayError {
  return new GatewayError('batch_conflict', 'The batch has already ended, so it cannot be changed.');
}

export function batchOpen(): GatewayError {
  return new GatewayError('batch_conflict', 'The batch has not ended. Cancel it, and delete it when it has ended.');
}

export function batchAtVendor(): GatewayError {
  return new GatewayError(
    'batch_conflict',
    'The vendor of the model runs the batch, so it cannot be paused. Cancel it instead.',
  );
}

export function tooManyBatches(perOwner: number): GatewayError {
  return new GatewayError(
    'rate_limited',
    `Batch limit reached: this API key allows ${perOwner} unfinished batches. Wait until one ends, or cancel one.`,
    { retryAfterMs: 60_000 },
  );
}

/** @throws GatewayError `store_unavailable` for every Redis or connection error */
export function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('batch store', work);
}
