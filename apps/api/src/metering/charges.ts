import { GatewayError, type Usage } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { type LimitedRequest, type Limiter, type LimitDecision, toNanos } from '@sluice/limits';
import type { Logger } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { type Charge, openCharge } from './charge.ts';
import { limitHeaders } from './limit-headers.ts';
import { limitReached } from './limit-reached.ts';
import { maxNanosOf, nanosOf, type PricedUse, tokensOf } from './price.ts';
import type { LateCharges } from './late-charges.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request has to pay; unset for keys without limits. */
    charge: Charge | undefined;
  }
}

/** What a request may use. */
interface ChargeParams {
  /** What the model costs; absent: nothing. */
  price?: ModelPrice | undefined;
  /** The client's protocol, by which the headers go. */
  protocol?: string;
  /** The most tokens that may be used, as far as that can be known; asked for only where they count. Absent: none. */
  tokens?: () => MaxTokens;
  /** To be spoken. */
  characters?: number;
}

/** What is held for an answer without a bound, where its model says nothing. */
export const OUTPUT_TOKENS = 4_096;

/** What a request may use at most. */
export interface MaxTokens {
  usage: Usage;
  /** Whether the request itself sets a bound to its answer. */
  isBounded: boolean;
}

/** Who asks. */
interface ChargeCall {
  apiKey: Pick<ApiKey, 'name' | 'limits' | 'budget'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Lets requests of keys with limits in, and has them paid when they are over. */
export interface Charges {
  /**
   * Lets a request in. A key without limits costs nothing, no round trip either.
   * @throws GatewayError `rate_limited`, `insufficient_quota`; `store_unavailable` when Redis refuses to count
   */
  enter(call: ChargeCall, params: ChargeParams): Promise<void>;
  /**
   * Counts what nothing was held for.
   * @param since what it adds to: charged already, under an id that is unique to it
   */
  charge(apiKey: ChargeCall['apiKey'], price: ModelPrice | undefined, usage: Usage, since?: ChargedBefore): void;
}

/** What is known of the cost of an answer before all of it is. */
interface ChargedBefore {
  id: string;
  usage: Usage;
}

/** What {@link createCharges} needs. */
export interface ChargesOptions {
  limiter: Limiter;
  lateCharges: Pick<LateCharges, 'add'>;
  logger: Pick<Logger, 'warn' | 'error'>;
  /** An unguessable id. */
  newId: (prefix: string) => string;
}

/**
 * Puts fares together. While Redis is away nobody is refused: text goes on without it. When it is there and refuses to
 * count, all with limits are.
 */
export function createCharges({ limiter, lateCharges, logger, newId }: ChargesOptions): Charges {
  async function admit(asked: LimitedRequest): Promise<LimitDecision | undefined> {
    try {
      return await limiter.admit(asked);
    } catch (error) {
      if (isRefusal(error)) {
        logger.error({ err: error, client: asked.owner }, 'limits cannot be counted: Redis refuses it');
        const what = 'The limits of this API key cannot be checked at the moment. Try again shortly.';
        throw new GatewayError('store_unavailable', what, { retryAfterMs: 1_000, cause: error });
      }
      logger.warn({ err: error, client: asked.owner }, 'limits are not enforced while Redis is away');
      return undefined;
    }
  }

  async function enter({ apiKey, request, reply }: ChargeCall, params: ChargeParams): Promise<void> {
    const { name: owner, limits: { rpm, ...limits } = {}, budget } = apiKey;
    const tpm = params.tokens && limits.tpm;
    const price = budget && params.price;
    if (rpm === undefined && tpm === undefined && !price) return;
    const { characters } = params;
    const max = tpm !== undefined || price ? params.tokens?.() : undefined;
    const usage = max?.usage;
    const asked: LimitedRequest = {
      id: newId('fare_'),
      owner,
      requestsPerMinute: rpm,
      tokensPerMinute: tpm,
      ...(budget && price && { budget: { nanos: toNanos(budget.usd), period: budget.period } }),
      tokens: tpm === undefined ? 0 : reservedTokens(max, tpm),
      nanos: price ? maxNanosOf(price, { usage, characters }) : 0,
    };
    const decision = await admit(asked);
    if (decision) {
      void reply.headers(limitHeaders(decision, params.protocol));
      if (decision.reached) throw limitReached(decision.reached, decision.waitMs, asked);
    }
    if (tpm === undefined && !price) return;

    const pay = (use: PricedUse | undefined): void => {
      const used = {
        tokens: tpm === undefined ? 0 : tokensOf(use?.usage),
        nanos: price && use ? nanosOf(price, use) : 0,
      };
      // What may have been held although its answer was lost is given back, too.
      lateCharges.add(owner, () =>
        decision ? limiter.recordUsage(asked, decision.at, used) : limiter.charge(asked, used),
      );
    };
    request.charge = openCharge(request, reply, { max: { usage, characters }, pay });
  }

  return {
    enter,
    charge({ name: owner, limits, budget }, price, usage, since) {
      const more = (of: (use: PricedUse) => number): number =>
        Math.max(0, of({ usage }) - (since ? of({ usage: since.usage }) : 0));
      const used = {
        tokens: limits?.tpm === undefined ? 0 : more((use) => tokensOf(use.usage)),
        nanos: budget && price ? more((use) => nanosOf(price, use)) : 0,
      };
      if (used.tokens === 0 && used.nanos === 0) return;
      const charged = { id: since?.id ?? newId('fare_'), owner };
      lateCharges.add(owner, () => limiter.charge(charged, used));
    },
  };
}

/** What Redis answers while it starts, follows another, or is busy with a script: it is as good as away. */
const AWAY = /^(?:LOADING|MASTERDOWN|READONLY|CLUSTERDOWN|TRYAGAIN|BUSY)\b/;

/** Whether Redis is there and does not do what was asked; else a client could switch its limits off by breaking them. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && !AWAY.test(error.message);
}

/** A request that sets no bound to its answer is not refused for one that is only assumed. */
function reservedTokens(max: MaxTokens | undefined, tpm: number): number {
  const tokens = tokensOf(max?.usage);
  return max?.isBounded === false ? Math.min(tokens, Math.max(tpm, max.usage.inputTokens)) : tokens;
}
