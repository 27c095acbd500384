import { GatewayError, unavailableMessage } from '@sluice/canonical';
import type { LimitedRequest, Limiter, LimitDecision } from '@sluice/limits';
import type { Logger } from '@sluice/telemetry';

export interface AdmitOptions {
  limiter: Limiter;
  logger: Pick<Logger, 'warn' | 'error'>;
  onOutage: 'refuse' | 'allow';
}

/**
 * During a Redis outage, keys with a budget are rejected unless `onOutage` is `allow`. Other keys are served without
 * limits. If Redis is reachable but rejects the command, all limited keys are rejected.
 * @returns undefined if the request is served without limits
 * @throws GatewayError `store_unavailable` if the request's limits cannot be checked
 */
export async function admitLimited(
  { limiter, logger, onOutage }: AdmitOptions,
  limited: LimitedRequest,
): Promise<LimitDecision | undefined> {
  try {
    return await limiter.admit(limited);
  } catch (error) {
    const { owner: client } = limited;
    if (isRefusal(error)) {
      logger.error({ err: error, client }, 'limits could not be counted: redis rejected the command');
    } else if (limited.budget && onOutage === 'refuse') {
      logger.warn({ err: error, client }, 'request rejected: redis is unavailable, so the budget could not be checked');
    } else {
      logger.warn({ err: error, client }, 'limits are not enforced: redis is unavailable');
      return undefined;
    }
    throw new GatewayError('store_unavailable', unavailableMessage('limit store'), {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}

/** Redis errors during startup, replication, read-only mode, or a running script. They are handled like an outage. */
const TRANSIENT = /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;

/**
 * Whether Redis is reachable but rejects the command. This is not handled like an outage, because a client must not be
 * able to disable its limits by causing it.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !TRANSIENT.test(error.message);
}
