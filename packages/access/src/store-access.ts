import { GatewayError } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for every error of Redis or its connection */
export function reading<T>(work: () => Promise<T>): Promise<T> {
  return guarded(work, 'Retry shortly.', { retryAfterMs: 1_000 });
}

/** Like {@link reading}, for writes, whose outcome is unknown if the reply is lost. */
export function writing<T>(work: () => Promise<T>): Promise<T> {
  return guarded(work, 'The outcome is unknown. Check whether the operation succeeded before you retry.', {
    retryable: false,
  });
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
    const message = `Stored keys are unavailable. ${advice}`;
    throw new GatewayError('store_unavailable', message, { ...repeat, cause: error });
  }
}
