import type { Usage } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import { type LimitedRequest, type LimitDecision, toNanos } from '@sluice/limits';
import type { PriceBook, PricedUse, PriceTarget } from '@sluice/prices';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RequestOutcome } from '../ledger/request-entry.ts';
import { admitLimited, type AdmitOptions } from './admit-limited.ts';
import { Charge } from './charge.ts';
import { configuredNames } from './count-client-request.ts';
import type { LateCharges } from './late-charges.ts';
import { limitHeaders } from './limit-headers.ts';
import { limitReached } from './limit-reached.ts';
import { type MaxTokens, tokensOf } from './max-tokens.ts';
import { countCost, outcomeOf } from './outcome-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    charge: Charge | undefined;
  }
}

interface ChargeParams {
  /** If omitted, the request itself has no price, e.g. because it creates a task. */
  model?: ModelConfig;
  /** The upstreams that can serve the request. */
  targets?: readonly { target: PriceTarget }[];
  /** The client's protocol, which determines the names of the rate-limit headers. */
  protocol?: string;
  /** Called only if the tokens matter. If omitted, the call uses no tokens. */
  tokens?: () => MaxTokens;
  characters?: number;
  /** Whether the request opens a session, whose usage is charged while it lasts. */
  isSession?: boolean;
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
  /** Charges usage that an upstream reports during a session. */
  chargeSession(call: Omit<ChargeCall, 'reply'>, target: PriceTarget, usage: Usage): void;
  /**
   * Charges usage outside a request, without a reservation.
   * @param id repeated charges with the same id have no effect for a minute
   * @param entry the ledger entry of the usage, as JSON
   */
  chargeLate(apiKey: ChargeCall['apiKey'], id: string, outcome: RequestOutcome, entry: string | undefined): void;
}

export interface ChargesOptions extends AdmitOptions {
  prices: PriceBook;
  ledger: Pick<Ledger, 'append'>;
  lateCharges: Pick<LateCharges, 'add'>;
  metrics: Pick<Metrics, 'limitRefusals' | 'cost'>;
  newId: (prefix: string) => string;
}

export function createCharges(options: ChargesOptions): Charges {
  const { prices, limiter, lateCharges, ledger, metrics, newId } = options;

  async function reserve(call: ChargeCall, params: ChargeParams): Promise<void> {
    const reservation = reservationOf(options, call, params);
    const { limited, max } = reservation;
    const decision = limited && (await admit(options, call, params, limited, max));
    const { request, reply, apiKey } = call;
    const { protocol, characters, isSession = false } = params;
    const isCharged = limited !== undefined && (reservation.tpm !== undefined || reservation.budget !== undefined);

    const record = (use: PricedUse | undefined, { target }: Charge): void => {
      const outcome = outcomeOf(prices, params.model, servedTarget(request) ?? target, use);
      countCost(metrics, { ...configuredNames(request), upstream: request.served?.upstream ?? 'none' }, outcome);
      const entry = isSession ? undefined : request.ledger?.entry(outcome);
      if (!isCharged) return entry === undefined ? undefined : ledger.append(entry);
      const used = {
        tokens: reservation.tpm === undefined ? 0 : tokensOf(use?.usage),
        nanos: reservation.budget ? (outcome.cost?.nanos ?? 0) : 0,
      };
      // Without a decision, Redis may have made the reservation although its reply was lost. `charge` also releases it.
      const send = (): Promise<void> =>
        decision ? limiter.recordUsage(limited, decision.at, used, entry) : limiter.charge(limited, used, entry);
      lateCharges.add(apiKey.name, send, entry !== undefined);
    };
    const countsOutput = reservation.isPriced || reservation.tpm !== undefined;
    const maxUse = (): PricedUse => ({ usage: countsOutput ? max()?.usage : undefined, characters });
    const charge = new Charge(request, reply, { max: maxUse, countsOutput, protocol, characters, record });
    request.charge = charge;
    // The client disconnected during the admission, so the end of the response was already reported.
    if (reply.raw.closed) queueMicrotask(() => charge.responseClosed());
  }

  function chargeNow(
    { name: owner, limits, budget }: ChargeCall['apiKey'],
    id: string,
    outcome: RequestOutcome,
    entry?: string,
  ) {
    const used = {
      tokens: limits?.tpm === undefined ? 0 : tokensOf(outcome.use?.usage),
      nanos: budget ? (outcome.cost?.nanos ?? 0) : 0,
    };
    if (used.tokens > 0 || used.nanos > 0) {
      lateCharges.add(owner, () => limiter.charge({ id, owner }, used, entry), entry !== undefined);
    } else if (entry !== undefined) {
      ledger.append(entry);
    }
  }

  return {
    reserve,
    chargeSession({ apiKey, request }, target, usage) {
      const outcome = outcomeOf(prices, request.configuredModel, target, { usage });
      countCost(metrics, { ...configuredNames(request), upstream: target.upstream }, outcome);
      request.ledger?.add(outcome);
      chargeNow(apiKey, newId('fare_'), outcome);
    },
    chargeLate: chargeNow,
  };
}

interface Reservation {
  tpm: number | undefined;
  /** Set if the request is charged to the key's budget. */
  budget: LimitedRequest['budget'];
  /** Whether the price of an upstream that can serve the request is known. */
  isPriced: boolean;
  /** Estimated once. */
  max: () => MaxTokens | undefined;
  /** Set if the key has limits. */
  limited: LimitedRequest | undefined;
}

function reservationOf(
  { prices, newId }: Pick<ChargesOptions, 'prices' | 'newId'>,
  { apiKey }: ChargeCall,
  { model, targets = [], tokens, characters }: ChargeParams,
): Reservation {
  const { name: owner, limits: { rpm, ...limits } = {}, budget: keyBudget } = apiKey;
  const tpm = tokens && limits.tpm;
  let estimated: MaxTokens | undefined;
  const max = (): MaxTokens | undefined => (estimated ??= tokens?.());
  const isPriced = model !== undefined && targets.some(({ target }) => prices.priceOf(model, target) !== undefined);
  const isBudgeted = keyBudget !== undefined && isPriced;
  if (rpm === undefined && tpm === undefined && !isBudgeted) {
    return { tpm, budget: undefined, isPriced, max, limited: undefined };
  }
  const budget = isBudgeted ? { nanos: toNanos(keyBudget.usd), period: keyBudget.period } : undefined;
  const nanos = isBudgeted ? maxNanosOf(prices, model, targets, { usage: max()?.usage, characters }) : 0;
  const limited: LimitedRequest = {
    id: newId('fare_'),
    owner,
    requestsPerMinute: rpm,
    tokensPerMinute: tpm,
    budget,
    tokens: tpm === undefined ? 0 : reservedTokens(max(), tpm),
    nanos,
  };
  return { tpm, budget, isPriced, max, limited };
}

/** Returns the cost at the most expensive upstream, because every upstream may serve the request. */
function maxNanosOf(
  prices: PriceBook,
  model: ModelConfig,
  targets: readonly { target: PriceTarget }[],
  use: PricedUse,
): number {
  let nanos = 0;
  for (const { target } of targets) nanos = Math.max(nanos, prices.priceOf(model, target)?.maxNanosOf(use) ?? 0);
  return nanos;
}

/** @throws GatewayError if the request exceeds a limit */
async function admit(
  options: ChargesOptions,
  { request, reply }: ChargeCall,
  { protocol }: ChargeParams,
  limited: LimitedRequest,
  max: () => MaxTokens | undefined,
): Promise<LimitDecision | undefined> {
  const decision = await admitLimited(options, limited);
  if (!decision) return undefined;
  void reply.headers(limitHeaders(decision, protocol));
  if (!decision.reached) return decision;
  options.metrics.limitRefusals.inc({ ...configuredNames(request), limit: decision.reached });
  const { balance } = decision;
  const estimated = limited.budget || limited.tokens > 0 ? max() : undefined;
  throw limitReached(decision.reached, decision.waitMs, { ...limited, balance, max: estimated, protocol });
}

function servedTarget({ served }: FastifyRequest): PriceTarget | undefined {
  return served && { upstream: served.upstream, model: served.upstream_model };
}

/** If the client sets no output limit, the assumed limit never causes a rejection. */
function reservedTokens(max: MaxTokens | undefined, tpm: number): number {
  const tokens = tokensOf(max?.usage);
  return max?.isBounded === false ? Math.min(tokens, Math.max(tpm, max.usage.inputTokens)) : tokens;
}
