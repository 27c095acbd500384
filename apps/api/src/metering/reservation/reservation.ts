import type { ModelConfig } from '@sluice/config';
import { type LimitedRequest, toNanos } from '@sluice/limits';
import type { PriceBook, PricedUse, PriceTarget } from '@sluice/prices';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../../auth/api-keys.ts';
import { type MaxTokens, reservedTokens } from './max-tokens.ts';

/** The request that is charged. */
export interface ChargeCall {
  apiKey: Pick<ApiKey, 'name' | 'limits' | 'budget' | 'run' | 'line' | 'vendorLine'>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface ChargeParams {
  /** If omitted, the request itself has no price, e.g. because it creates a task. */
  model?: Pick<ModelConfig, 'price'>;
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

export interface Reservation {
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

/** Returns what a request reserves. */
export function reservationOf(
  { prices, newId }: { prices: PriceBook; newId: (prefix: string) => string },
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
  model: Pick<ModelConfig, 'price'>,
  targets: readonly { target: PriceTarget }[],
  use: PricedUse,
): number {
  let nanos = 0;
  for (const { target } of targets) nanos = Math.max(nanos, prices.priceOf(model, target)?.maxNanosOf(use) ?? 0);
  return nanos;
}
