import { GatewayError, unavailableMessage } from '@sluice/canonical';

/** ioredis's message for a command that was not sent because there was no connection. */
const NOT_SENT = /isn't writeable/;

/** Prefixes of Redis errors after which nothing was written (e.g. memory is full, or the server is a replica). */
const NOT_EXECUTED = /^(?:OOM|READONLY|MISCONF|NOREPLICAS|LOADING|MASTERDOWN|CLUSTERDOWN|BUSY)\b/;

/** The error for an operation that may have succeeded although its reply was lost. */
export interface LostReply {
  message: string;
  retryable: boolean;
}

/**
 * Converts errors to `store_unavailable`. @param lost the error if a command was sent but its reply was lost; omit it
 * if a retry is always safe
 */
export async function guarded<T>(work: () => Promise<T>, lost?: LostReply): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const wasNotExecuted = error instanceof Error && (NOT_SENT.test(error.message) || NOT_EXECUTED.test(error.message));
    const { message, retryable } = lost && !wasNotExecuted ? lost : UNAVAILABLE;
    const retry = retryable ? { retryAfterMs: 1_000 } : { retryable };
    throw new GatewayError('store_unavailable', message, { ...retry, cause: error });
  }
}

const UNAVAILABLE: LostReply = { message: unavailableMessage('task store'), retryable: true };
