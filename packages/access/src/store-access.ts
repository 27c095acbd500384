import { GatewayError, unavailableMessage } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for every Redis or connection error */
export function reading<T>(work: () => Promise<T>): Promise<T> {
  return guarded(work, unavailableMessage('key store'), { retryAfterMs: 1_000 });
}

/** Like {@link reading}, but for writes. If the reply is lost, the write's outcome is unknown. */
export function writing<T>(work: () => Promise<T>): Promise<T> {
  return guarded(
    work,
    'The key store is unavailable and the outcome is unknown. Check whether the operation succeeded before you retry.',
    {
      retryable: false,
    },
  );
}

async function guarded<T>(
  work: () => Promise<T>,
  message: string,
  repeat: { retryAfterMs: number } | { retryable: false },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError('store_unavailable', message, { ...repeat, cause: error });
  }
}
