import { accountName, splitAccount, type Usage } from '@sluice/canonical';
import {
  type Admission,
  type CredentialUse,
  type Credentials,
  type DueCharge,
  type LimitedRequest,
  type LimitDecision,
  NANOS_PER_USD,
  type RecordedUsage,
  sendUsage,
} from '@sluice/limits';
import { batchUse, type PriceBook, type PricedUse, type PriceTarget } from '@sluice/prices';
import type { Metrics } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import type { StoredRun } from '../auth/stored-run.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RequestOutcome } from '../ledger/request-entry.ts';
import { admitLimited, type AdmitOptions } from './admit-limited.ts';
import { type CalledTarget, Charge } from './charge.ts';
import { configuredNames } from './count-client-request.ts';
import type { LateCharges } from './late-charges.ts';
import { type ChargeCall, type ChargeParams, type Reservation, reservationOf } from './reservation/reservation.ts';
import { limitHeaders } from './limit-headers.ts';
import { limitReached } from './limit-reached.ts';
import { type MaxTokens, tokensOf } from './reservation/max-tokens.ts';
import { countUse, type TokenMetrics } from './meter-usage.ts';
import { type OpenCharge, openCharge } from './reservation/open-charge.ts';
import { countCost, outcomeOf } from './outcome-of.ts';

declare module 'fastify' {
  interface FastifyRequest {
    charge: Charge | undefined;
    /** The use of the pool's credential that serves the request. It ends with the response. */
    credentialUse: CredentialUse | undefined;
  }
}

/** Output tokens reserved for a request without an output limit, if its model does not configure a default. */
export const OUTPUT_TOKENS = 4_096;

export interface Charges {
  /**
   * Reserves a request's maximum cost. For a key without limits, this needs no round trip to Redis. A background response
   * that a worker runs was reserved before, and its usage is reported to the run.
   * @throws GatewayError `rate_limited`, `insufficient_quota`; `store_unavailable` if Redis refuses the command
   */
  reserve(call: ChargeCall, params: ChargeParams): Promise<void>;
  /** Releases the reservation of a request that was deferred and then not run. */
  release(admission: Admission): void;
  /** Charges usage that an upstream reports during a session. */
  chargeSession(call: Omit<ChargeCall, 'reply'>, target: PriceTarget, usage: Usage): void;
  /**
   * Counts the input of a call that was aborted because another one responded first. The key is not charged for it.
   * @returns the estimated cost in US dollars; undefined if the price is unknown
   */
  chargeHedge(request: FastifyRequest, target: CalledTarget): number | undefined;
  /** Charges a response that has ended, once, and then removes its job. */
  chargeJob(charge: RecordedUsage, job: ChargedJob): void;
}

export interface ChargedJob {
  due: DueCharge;
  drop: () => Promise<void>;
  model: string;
  /** The account name. */
  upstream: string;
  outcome: RequestOutcome;
}

export interface ChargesOptions extends AdmitOptions {
  prices: PriceBook;
  ledger: Pick<Ledger, 'append'>;
  lateCharges: Pick<LateCharges, 'add'>;
  /** Absent if no upstream has a pool. */
  credentials?: Pick<Credentials, 'spend'>;
  metrics: TokenMetrics & Pick<Metrics, 'limitRefusals' | 'cost'>;
  newId: (prefix: string) => string;
}

export function createCharges(options: ChargesOptions): Charges {
  const { prices, limiter, lateCharges, ledger, metrics, newId } = options;

  async function reserve(call: ChargeCall, params: ChargeParams): Promise<void> {
    const reservation = reservationOf(options, call, params);
    const { max } = reservation;
    const { request, reply, apiKey } = call;
    const { run } = apiKey;
    const admission = run ? run.admission : await admissionOf(options, call, params, reservation);
    const { protocol, characters, isSession = false } = params;
    const isCharged = admission !== undefined && (reservation.tpm !== undefined || reservation.budget !== undefined);

    const record = (live: PricedUse | undefined, { target }: Charge): void => {
      const use = live && apiKey.vendorLine ? batchUse(live) : live;
      const outcome = outcomeOf(prices, params.model, servedTarget(request) ?? target, use);
      endUse(request.credentialUse, outcome);
      const count = (): void => countUse(options, request, target, outcome);
      if (!apiKey.vendorLine) count();
      apiKey.line?.onPriced(outcome.cost?.nanos, outcome.use !== undefined);
      const entry = isSession ? undefined : request.ledger?.entry(outcome);
      const used = {
        // A vendor's batch returns all results at once, so they count towards no limit per minute.
        tokens: reservation.tpm === undefined || apiKey.vendorLine ? 0 : tokensOf(use?.usage),
        nanos: reservation.budget ? (outcome.cost?.nanos ?? 0) : 0,
      };
      if (run) return run.onUsage(runUsage(run, apiKey.name, { used, entry }), apiKey.vendorLine && count);
      if (!isCharged) return entry === undefined ? undefined : ledger.append(entry);
      const send = () => sendUsage(limiter, { admission, used, entry });
      const charged = lateCharges.add(apiKey.name, send, entry !== undefined);
      apiKey.line?.onCharge(charged);
    };
    const countsOutput = reservation.isPriced || reservation.tpm !== undefined;
    const maxUse = (): PricedUse => ({ usage: countsOutput ? max()?.usage : undefined, characters });
    const open = ({ target, max: use }: Charge): OpenCharge =>
      openCharge(apiKey, {
        admission: admission ?? { id: newId('fare_'), owner: apiKey.name, tokens: 0 },
        outcome: outcomeOf(prices, params.model, servedTarget(request) ?? target, use),
        entry: request.ledger?.draft(),
      });
    const handedOver = (): void => request.credentialUse?.end();
    const job = { open, handedOver };
    const usage = { max: maxUse, countsOutput, protocol, characters };
    const charge = new Charge(request, reply, { ...usage, ...job, admission, record });
    request.charge = charge;
    run?.onReserved(() => charge.responseClosed());
    // The client disconnected during the admission, so the end of the response was already reported.
    if (reply.raw.closed) queueMicrotask(() => charge.responseClosed());
  }

  return {
    reserve,
    release(admission) {
      const used = { tokens: 0, nanos: 0 };
      void lateCharges.add(admission.owner, () => sendUsage(limiter, { admission, used }));
    },
    chargeSession({ apiKey, request }, target, usage) {
      const outcome = outcomeOf(prices, request.configuredModel, target, { usage });
      countCost(metrics, { ...configuredNames(request), upstream: target.upstream }, outcome);
      if (request.served?.credential !== undefined && outcome.cost) {
        options.credentials?.spend(accountName(request.served), outcome.cost.nanos);
      }
      request.ledger?.add(outcome);
      chargeNow(options, apiKey, newId('fare_'), outcome);
    },
    chargeHedge(request, target) {
      const inputTokens = request.charge?.max.usage?.inputTokens;
      if (inputTokens === undefined) return undefined;
      const usage = { inputTokens, outputTokens: 0 };
      const outcome = outcomeOf(prices, request.configuredModel, target, { usage });
      if (!outcome.cost) return undefined;
      countCost(metrics, { ...configuredNames(request), upstream: target.upstream }, outcome);
      if (target.credential !== undefined) options.credentials?.spend(accountName(target), outcome.cost.nanos);
      const usd = outcome.cost.nanos / NANOS_PER_USD;
      const attempt = request.attempts?.findLast(({ result }) => result === 'hedged');
      if (attempt) attempt.cost_usd = usd;
      return usd;
    },
    chargeJob: (charge, job) => chargeJob(options, charge, job),
  };
}

function chargeJob(
  { limiter, lateCharges, metrics, credentials }: ChargesOptions,
  charge: RecordedUsage,
  { due, drop, model, upstream, outcome }: ChargedJob,
): void {
  const { owner } = charge.admission;
  countCost(metrics, { model, key: owner, upstream: splitAccount(upstream).upstream }, outcome);
  if (outcome.cost) credentials?.spend(upstream, outcome.cost.nanos);
  const send = async (): Promise<void> => {
    await sendUsage(limiter, charge, due);
    await drop();
  };
  void lateCharges.add(owner, send, charge.entry !== undefined);
}

/** Charges usage outside a request. */
function chargeNow(
  { limiter, lateCharges }: Pick<ChargesOptions, 'limiter' | 'lateCharges'>,
  { name: owner, limits, budget }: ChargeCall['apiKey'],
  id: string,
  outcome: RequestOutcome,
): void {
  const used = {
    tokens: limits?.tpm === undefined ? 0 : tokensOf(outcome.use?.usage),
    nanos: budget ? (outcome.cost?.nanos ?? 0) : 0,
  };
  if (used.tokens > 0 || used.nanos > 0) {
    void lateCharges.add(owner, () => limiter.charge({ id, owner }, used));
  }
}

/** Counts the tokens of a request towards the limits of its credential. */
function endUse(credentialUse: CredentialUse | undefined, { use }: RequestOutcome): void {
  if (use?.usage) credentialUse?.correctTokens(tokensOf(use.usage));
  credentialUse?.end();
}

/** @returns undefined if the key has no limits. @throws GatewayError if the request exceeds a limit */
async function admissionOf(
  options: ChargesOptions,
  call: ChargeCall,
  params: ChargeParams,
  { limited, max }: Reservation,
): Promise<Admission | undefined> {
  if (!limited) return undefined;
  const decision = await admit(options, call, params, limited, max);
  const { id, owner, tokens } = limited;
  // Without a decision, Redis may have made the reservation although its reply was lost. A charge also releases it.
  return { id, owner, tokens, at: decision?.at };
}

/** @returns undefined if there is nothing to record */
function runUsage(
  { admission, responseId }: StoredRun,
  owner: string,
  { used, entry }: Pick<RecordedUsage, 'used' | 'entry'>,
): RecordedUsage | undefined {
  if (!admission && entry === undefined && used.tokens === 0 && used.nanos === 0) return undefined;
  return { admission: admission ?? { id: `fare_${responseId}`, owner, tokens: 0 }, used, entry };
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
