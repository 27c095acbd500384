import { GatewayError } from '@sluice/canonical';

/** Message of ioredis when a command was not sent because there is no connection. */
const NOTHING_SENT = /isn't writeable/;

/** The error for an operation that may have succeeded although its reply was lost. */
export interface LostReply {
  message: string;
  /** Whether clients may retry by themselves. */
  retryable: boolean;
}

/**
 * Converts an error of Redis to `store_unavailable`.
 * @param lost the error if the command was sent; absent if a retry is always safe
 * @throws GatewayError
 */
export async function guarded<T>(work: () => Promise<T>, lost?: LostReply): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const mayBeDone = !(error instanceof Error && NOTHING_SENT.test(error.message));
    const { message, retryable } = lost && mayBeDone ? lost : AWAY;
    const when = retryable ? { retryAfterMs: 1_000 } : { retryable };
    throw new GatewayError('store_unavailable', message, { ...when, cause: error });
  }
}

const AWAY: LostReply = { message: 'The task store is unavailable. Retry shortly.', retryable: true };
