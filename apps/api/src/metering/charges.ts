import { GatewayError, type Usage } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { type LimitedRequest, type Limiter, type LimitDecision, toNanos } from '@sluice/limits';
import type { Logger } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { type Charge, openCharge } from './charge.ts';
import { limitHeaders } from './limit-headers.ts';
import { limitReached } from './limit-reached.ts';
import { maxNanosOf, type MaxTokens, nanosOf, type PricedUse, tokensOf } from './price.ts';
import type { LateCharges } from './late-charges.ts';

declare module 'fastify' {
  interface FastifyRequest {
    charge: Charge | undefined;
  }
}

interface ChargeParams {
  price?: ModelPrice | undefined;
  /** The client's protocol, which decides the rate-limit headers. */
  protocol?: string;
  /** Called only if tokens are limited. Absent: no tokens. */
  tokens?: () => MaxTokens;
  characters?: number;
}

/** Output tokens reserved for a request without a limit, if its model does not configure them. */
export const OUTPUT_TOKENS = 4_096;

interface ChargeCall {
  apiKey: Pick<ApiKey, 'name' | 'limits' | 'budget'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Charges {
  /**
   * A key without limits causes no round trip.
   * @throws GatewayError `rate_limited`, `insufficient_quota`; `store_unavailable` if Redis refuses to count
   */
  reserve(call: ChargeCall, params: ChargeParams): Promise<void>;
  /** Charges usage without a reservation. @param since usage of the same response that was charged before */
  charge(apiKey: ChargeCall['apiKey'], price: ModelPrice | undefined, usage: Usage, since?: ChargedBefore): void;
}

interface ChargedBefore {
  id: string;
  usage: Usage;
}

export interface ChargesOptions {
  limiter: Limiter;
  lateCharges: Pick<LateCharges, 'add'>;
  logger: Pick<Logger, 'warn' | 'error'>;
  newId: (prefix: string) => string;
  onOutage: 'refuse' | 'allow';
}

/**
 * During an outage of Redis, keys with a budget are refused unless `onOutage` is `allow`; other keys are served without
 * limits. If Redis refuses to count for another reason, all limited keys are refused.
 */
export function createCharges({ limiter, lateCharges, logger, newId, onOutage }: ChargesOptions): Charges {
  async function reserve({ apiKey, request, reply }: ChargeCall, params: ChargeParams): Promise<void> {
    const { name: owner, limits: { rpm, ...limits } = {}, budget } = apiKey;
    const tpm = params.tokens && limits.tpm;
    const price = budget && params.price;
    if (rpm === undefined && tpm === undefined && !price) return;
    const { characters } = params;
    const max = tpm !== undefined || price ? params.tokens?.() : undefined;
    const usage = max?.usage;
    const limited: LimitedRequest = {
      id: newId('fare_'),
      owner,
      requestsPerMinute: rpm,
      tokensPerMinute: tpm,
      ...(budget && price && { budget: { nanos: toNanos(budget.usd), period: budget.period } }),
      tokens: tpm === undefined ? 0 : reservedTokens(max, tpm),
      nanos: price ? maxNanosOf(price, { usage, characters }) : 0,
    };
    const decision = await admit({ limiter, logger, onOutage }, limited);
    if (decision) {
      void reply.headers(limitHeaders(decision, params.protocol));
      if (decision.reached) {
        const { balance } = decision;
        throw limitReached(decision.reached, decision.waitMs, { ...limited, balance, max, protocol: params.protocol });
      }
    }
    if (tpm === undefined && !price) return;

    const record = (use: PricedUse | undefined): void => {
      const used = {
        tokens: tpm === undefined ? 0 : tokensOf(use?.usage),
        nanos: price && use ? nanosOf(price, use) : 0,
      };
      // Without a decision the reservation may still exist, if only Redis' response was lost.
      lateCharges.add(owner, () =>
        decision ? limiter.recordUsage(limited, decision.at, used) : limiter.charge(limited, used),
      );
    };
    request.charge = openCharge(request, reply, { max: { usage, characters }, record });
  }

  return {
    reserve,
    charge({ name: owner, limits, budget }, price, usage, since) {
      const added = (amountOf: (use: PricedUse) => number): number =>
        Math.max(0, amountOf({ usage }) - (since ? amountOf({ usage: since.usage }) : 0));
      const used = {
        tokens: limits?.tpm === undefined ? 0 : added((use) => tokensOf(use.usage)),
        nanos: budget && price ? added((use) => nanosOf(price, use)) : 0,
      };
      if (used.tokens === 0 && used.nanos === 0) return;
      const charged = { id: since?.id ?? newId('fare_'), owner };
      lateCharges.add(owner, () => limiter.charge(charged, used));
    },
  };
}

/**
 * @returns undefined for a request that is served without limits
 * @throws GatewayError `store_unavailable` if the limits of the request cannot be checked
 */
async function admit(
  { limiter, logger, onOutage }: Pick<ChargesOptions, 'limiter' | 'logger' | 'onOutage'>,
  limited: LimitedRequest,
): Promise<LimitDecision | undefined> {
  try {
    return await limiter.admit(limited);
  } catch (error) {
    const { owner: client } = limited;
    if (isRefusal(error)) {
      logger.error({ err: error, client }, 'limits cannot be counted: redis refuses the command');
    } else if (limited.budget && onOutage === 'refuse') {
      logger.warn({ err: error, client }, 'request refused: redis is unavailable, so the budget cannot be checked');
    } else {
      logger.warn({ err: error, client }, 'limits are not enforced: redis is unavailable');
      return undefined;
    }
    const what = 'The limits of this API key cannot be checked now. Retry shortly.';
    throw new GatewayError('store_unavailable', what, { retryAfterMs: 1_000, cause: error });
  }
}

/** Redis' errors while it starts, replicates, is read-only, or runs a script: treated as unreachable. */
const TRANSIENT = /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;

/** Whether Redis is reachable but refuses: a client must not disable its limits by breaking them. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !TRANSIENT.test(error.message);
}

/** A request without an output limit is not rejected for the assumed one. */
function reservedTokens(max: MaxTokens | undefined, tpm: number): number {
  const tokens = tokensOf(max?.usage);
  return max?.isBounded === false ? Math.min(tokens, Math.max(tpm, max.usage.inputTokens)) : tokens;
}
