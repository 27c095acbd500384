import { GatewayError } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for whatever Redis or the way to it fails with */
export function reading<T>(work: () => Promise<T>): Promise<T> {
  return guarded(work, 'Try again shortly.', { retryAfterMs: 1_000 });
}

/** The same, where an answer that was lost on the way leaves open what has happened. */
export function writing<T>(work: () => Promise<T>): Promise<T> {
  return guarded(work, 'Look whether it was done before you repeat it.', { retryable: false });
}

async function guarded<T>(
  work: () => Promise<T>,
  advice: string,
  repeat: { retryAfterMs: number } | { retryable: false },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const what = `Stored keys cannot be reached at the moment. ${advice}`;
    throw new GatewayError('store_unavailable', what, { ...repeat, cause: error });
  }
}
