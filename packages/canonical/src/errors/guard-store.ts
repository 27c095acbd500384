import { GatewayError } from './gateway-error.ts';
import { unavailableMessage } from './gateway-messages.ts';

/**
 * Runs an operation of a store. @param store the store's name in messages, such as `batch store`
 * @throws GatewayError `store_unavailable` for every Redis or connection error
 */
export async function guardStore<T>(store: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', unavailableMessage(store), { retryAfterMs: 1_000, cause: error });
  }
}
