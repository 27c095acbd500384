import { randomUUID } from 'node:crypto';
import type { Logger } from '@sluice/telemetry';
import { parseFlatHash } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import { parseBatch, type StoredBatch } from '../store/batch-record.ts';

/** A job that this worker has claimed. */
export interface Lease {
  id: string;
  job: string;
  token: string;
  /** Aborts when the lease is lost. Another worker may then have the job. */
  lost: AbortSignal;
  /** Aborts when lines of the batch must not be sent any more. */
  closing: AbortSignal;
}

export interface ClaimedJob {
  lease: Lease;
  batch: StoredBatch;
  /** The encoded segment, if the job is one. */
  segment: string;
}

export interface LeasesOptions {
  redis: Redis;
  root: string;
  leaseMs: number;
  now: () => number;
  logger: Pick<Logger, 'warn'>;
}

interface Held {
  lease: Lease;
  lost: AbortController;
  closing: AbortController;
}

/** @throws Error if a script returns 0, because this worker has lost its lease */
export function expectLease(result: number): void {
  if (result === 0) throw new Error('lease lost');
}

/** The leases of a worker, which it renews until they end. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<Lease, Held>();
  readonly #timer: NodeJS.Timeout;
  /** Where `claim.lua` continues if the first batches are busy. */
  #later = [0, 0];

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#renew(), options.leaseMs / 3);
    this.#timer.unref();
  }

  /** @param busy models that the claim excludes; see `claim.lua` */
  async claim(busy: readonly string[]): Promise<ClaimedJob | undefined> {
    const { redis, root, leaseMs, now } = this.#options;
    const at = now();
    const token = randomUUID();
    const args = [at, at + leaseMs, token, ...this.#later, ...busy];
    const [ownerRank, batchRank, id, job, segment, ...fields] = await redis.batchesClaim(root, ...args);
    this.#later = [ownerRank, batchRank];
    if (id === undefined || job === undefined || segment === undefined) return undefined;
    const [lost, closing] = [new AbortController(), new AbortController()];
    const lease = { id, job, token, lost: lost.signal, closing: closing.signal };
    this.#held.set(lease, { lease, lost, closing });
    const batch = parseBatch(parseFlatHash(fields));
    if (batch.closing !== undefined) closing.abort(new Error('the batch closes'));
    return { lease, batch, segment };
  }

  /** Returns the job to the other workers. @param delayMs time until one can start it */
  async release(lease: Lease, delayMs = 0): Promise<void> {
    const { redis, root, now } = this.#options;
    this.forget(lease);
    await redis.batchesRelease(root, lease.id, lease.job, lease.token, delayMs > 0 ? now() + delayMs : 0);
  }

  /** Stops the renewal of a lease. */
  forget(lease: Lease): void {
    this.#held.delete(lease);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const { redis, root, leaseMs, now, logger } = this.#options;
    const held = [...this.#held.values()];
    if (held.length === 0) return;
    const args = held.flatMap(({ lease: { id, job, token } }) => [id, job, token]);
    try {
      const states = await redis.batchesRenew(root, now() + leaseMs, ...args);
      for (const [at, { lease, lost, closing }] of held.entries()) {
        const status = states[at] ?? '';
        if (status === 'cancelling' || status === 'finalizing') closing.abort(new Error('the batch closes'));
        if (status !== '' || !this.#held.delete(lease)) continue;
        logger.warn({ batch: lease.id, job: lease.job }, 'batch lease lost: another worker continues');
        lost.abort(new Error('the lease is lost'));
      }
    } catch (error) {
      // The scripts check each lease again before they change anything.
      logger.warn({ err: error }, 'batch leases could not be renewed');
    }
  }
}
