import { GatewayError } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for whatever Redis or the way to it fails with */
export async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const what = 'Stored keys cannot be reached at the moment. Try again shortly.';
    throw new GatewayError('store_unavailable', what, { retryAfterMs: 1_000, cause: error });
  }
}

/** The same, where an answer that was lost on the way leaves open what has happened. */
export async function writing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const what = 'Stored keys cannot be reached at the moment. Look whether it was done before you repeat it.';
    throw new GatewayError('store_unavailable', what, { retryable: false, cause: error });
  }
}
