import { GatewayError, unavailableMessage } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for any error that is not a GatewayError */
export async function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', unavailableMessage('response store'), {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}
