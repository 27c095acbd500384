import { GatewayError } from '@sluice/canonical';

/**
 * Does something with Redis.
 * @throws GatewayError `store_unavailable` for whatever Redis or the way to it fails with
 */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', 'The response store is unavailable. Retry shortly.', {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}
