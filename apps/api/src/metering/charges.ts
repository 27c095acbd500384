import { GatewayError, type Usage, unavailableMessage } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { type LimitedRequest, type Limiter, type LimitDecision, toNanos } from '@sluice/limits';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { type Charge, openCharge } from './charge.ts';
import { configuredNames } from './count-client-request.ts';
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
  /** The client's protocol, which determines the names of the rate-limit headers. */
  protocol?: string;
  /** Called only if tokens are limited. If omitted, the call uses no tokens. */
  tokens?: () => MaxTokens;
  characters?: number;
}

/** Output tokens reserved for a request without an output limit, if its model does not configure a default. */
export const OUTPUT_TOKENS = 4_096;

interface ChargeCall {
  apiKey: Pick<ApiKey, 'name' | 'limits' | 'budget'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface Charges {
  /**
   * Reserves a request's maximum cost. For a key without limits, this needs no round trip to Redis.
   * @throws GatewayError `rate_limited`, `insufficient_quota`; `store_unavailable` if Redis refuses the command
   */
  reserve(call: ChargeCall, params: ChargeParams): Promise<void>;
  /**
   * Charges usage without a reservation. @param since the part of the same response's usage that was already charged
   */
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
  metrics: Pick<Metrics, 'limitRefusals'>;
  newId: (prefix: string) => string;
  onOutage: 'refuse' | 'allow';
}

/**
 * During a Redis outage, keys with a budget are rejected unless `onOutage` is `allow`. Other keys are served without
 * limits. If Redis is reachable but rejects the command, all limited keys are rejected.
 */
export function createCharges({ limiter, lateCharges, logger, metrics, newId, onOutage }: ChargesOptions): Charges {
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
        metrics.limitRefusals.inc({ ...configuredNames(request), limit: decision.reached });
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
      // Without a decision, Redis may have made the reservation although its reply was lost. `charge` also releases it.
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
 * @returns undefined if the request is served without limits
 * @throws GatewayError `store_unavailable` if the request's limits cannot be checked
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

/** If the client sets no output limit, the assumed limit never causes a rejection. */
function reservedTokens(max: MaxTokens | undefined, tpm: number): number {
  const tokens = tokensOf(max?.usage);
  return max?.isBounded === false ? Math.min(tokens, Math.max(tpm, max.usage.inputTokens)) : tokens;
}
