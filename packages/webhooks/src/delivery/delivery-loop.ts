import { GatewayError } from '@sluice/canonical';
import { type AttemptContext, attemptDelivery, type AttemptResult } from './attempt-delivery.ts';
import { claimDeliveries, type ClaimedDeliveries } from './claim-deliveries.ts';
import { recordAttempt, type RecordContext } from './record-attempt.ts';
import { loadDelivery } from '../store/stored-delivery.ts';

export type LoopContext = AttemptContext & RecordContext;

/** Pause after a Redis failure, in milliseconds. */
const PAUSE_MS = 1_000;
const NO_CLAIMS: ClaimedDeliveries = { claims: [], startBy: 0, nextAt: Infinity };

/** Claims due deliveries while slots are free, and runs their attempts concurrently. */
export class DeliveryLoop {
  readonly #context: LoopContext;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #wake: (() => void) | undefined;

  constructor(context: LoopContext) {
    this.#context = context;
  }

  /** Runs until {@link close} is called. Continues after Redis failures. */
  async run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#work().catch(async (err: unknown) => {
        this.#context.logger.error({ err }, 'webhook deliveries could not be claimed');
        await new Promise((resolve) => setTimeout(resolve, signal.aborted ? 0 : PAUSE_MS));
      });
    }
  }

  close(): void {
    this.#closing.abort();
    this.#wake?.();
  }

  async inFlightEnded(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  async #work(): Promise<void> {
    const { settings, now } = this.#context;
    while (!this.#closing.signal.aborted) {
      const free = settings.concurrency - this.#inFlight.size;
      // Create this promise before the claim, so that an attempt that ends during the claim wakes the loop.
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const { claims, startBy, nextAt } = free > 0 ? await claimDeliveries(this.#context, free) : NO_CLAIMS;
      for (const { id, claim } of claims) this.#start(id, claim, startBy);
      if (claims.length > 0) continue;
      const timer = setTimeout(() => this.#wake?.(), Math.min(settings.pollMs, Math.max(0, nextAt - now())));
      await woken;
      clearTimeout(timer);
    }
  }

  #start(id: string, claim: string, startBy: number): void {
    const attempt = deliver(this.#context, id, claim, startBy)
      // The lease will expire, and the delivery is then retried.
      .catch((err: unknown) =>
        this.#context.logger.error({ err, delivery: id }, 'webhook delivery could not be processed'),
      )
      .finally(() => {
        this.#inFlight.delete(attempt);
        this.#wake?.();
      });
    this.#inFlight.add(attempt);
  }
}

async function deliver(context: LoopContext, id: string, claim: string, startBy: number): Promise<void> {
  const { redis, keys, logger, now } = context;
  const delivery = await loadDelivery(redis, keys, id);
  if (!delivery) return;
  const at = now();
  const result = await attemptDelivery(context, delivery, startBy).catch((err: unknown): AttemptResult => {
    // Only the shard of the task is unavailable, because the delivery itself could be read.
    if (err instanceof GatewayError && err.code === 'store_unavailable')
      return { outcome: 'release', afterMs: PAUSE_MS };
    logger.error({ err, delivery: id }, 'webhook attempt failed unexpectedly');
    // The attempt is counted, so that the delivery is not retried forever.
    return { outcome: 'retry', attempt: { at, durationMs: Math.max(0, now() - at), error: 'internal_error' } };
  });
  await recordAttempt(context, delivery, claim, result);
}
