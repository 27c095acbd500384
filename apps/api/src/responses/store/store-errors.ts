import { GatewayError } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for any other error */
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
