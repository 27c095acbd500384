import { GatewayError } from '@sluice/canonical';

/** ioredis's message for a command that was not sent because there was no connection. */
const NOT_SENT = /isn't writeable/;

/** Redis' replies that mean that nothing was written: its memory is full, it is a replica, it is starting, and so on. */
const NOT_EXECUTED = /^(?:OOM|READONLY|MISCONF|NOREPLICAS|LOADING|MASTERDOWN|CLUSTERDOWN|BUSY)\b/;

/** The error for an operation that may have succeeded although its reply was lost. */
export interface LostReply {
  message: string;
  retryable: boolean;
}

/** Converts errors to `store_unavailable`. @param lost for a command that was sent; absent if a retry is always safe */
export async function guarded<T>(work: () => Promise<T>, lost?: LostReply): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const isUndone = error instanceof Error && (NOT_SENT.test(error.message) || NOT_EXECUTED.test(error.message));
    const { message, retryable } = lost && !isUndone ? lost : UNAVAILABLE;
    const retry = retryable ? { retryAfterMs: 1_000 } : { retryable };
    throw new GatewayError('store_unavailable', message, { ...retry, cause: error });
  }
}

const UNAVAILABLE: LostReply = { message: 'The task store is unavailable. Retry shortly.', retryable: true };
