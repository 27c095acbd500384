import { GatewayError } from '@sluice/canonical';

/** What ioredis says when nothing was sent because there is no connection. */
const NOTHING_SENT = /isn't writeable/;

/** What is told when the answer was lost and the work may have been done nevertheless. */
export interface LostReply {
  message: string;
  /** Whether a repeat does no harm, so that clients may send it by themselves. */
  retryable: boolean;
}

/**
 * Redis being away is the one failure that a caller hears of as "try again", unless what was asked may have happened.
 * @param lost absent: whether it happened makes no difference to a repeat
 * @throws GatewayError `store_unavailable` for whatever is none yet
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

const AWAY: LostReply = { message: 'Tasks cannot be reached at the moment. Try again shortly.', retryable: true };
