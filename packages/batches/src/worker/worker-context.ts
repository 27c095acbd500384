import type { Usage, VendorBatchCapability } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import type { DueCharge } from '@sluice/limits';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { BatchKeys } from '../store/batch-keys.ts';
import type { BatchSettings } from '../store/batch-settings.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { Leases } from './leases.ts';
import type { SlotPool } from './slot-pool.ts';

/**
 * A step of a request in a batch that a vendor runs. The API does not call the vendor:
 *
 * - `encode`: responds with the request in the vendor's format, or with 204 if the account cannot serve it.
 * - `record`: responds with the vendor's result, decoded as its response to a live request. It does not depend on files,
 *   keys, models, or routes, which may be gone when the vendor has ended the batch.
 */
export type VendorLine = {
  /** See `accountName`. */
  account: string;
} & ({ step: 'encode' } | RecordStep);

interface RecordStep {
  step: 'record';
  /** The model's name at the vendor. */
  model: string;
  status: number;
  body: string;
}

/** A request of a batch, which the API serves as its owner. */
export interface LineRequest {
  owner: string;
  method: 'POST';
  path: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body: string;
  /** Disconnects, which aborts the upstream call. */
  signal: AbortSignal;
  vendorLine?: VendorLine | undefined;
}

/** The usage of a request, and its cost. */
export interface LineUse {
  usage?: Usage | undefined;
  costNanos?: number | undefined;
  /** Whether the request has a cost, but its price is unknown. */
  isUnpriced?: boolean | undefined;
}

export interface LineResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: AsyncIterable<Uint8Array>;
  /** Waits until the usage is recorded. Called after the end of the body. */
  recorded(this: void): Promise<LineUse>;
  /** Returns the charge for a recorded result. Called after the body. */
  charge?: ((this: void) => Promise<LineCharge>) | undefined;
}

/** The charge for a vendor's result. A worker that repeats the record after a crash gets the same one again. */
export interface LineCharge {
  /** Encoded for {@link VendorBatches.charge}. Undefined if nothing must be charged. */
  text?: string | undefined;
  /** Counts the usage in metrics. Called after the first charge. */
  count?: (() => void) | undefined;
}

/**
 * Serves a request as its owner.
 * @throws GatewayError if the request was not sent, with `invalid_api_key` if the key does not exist any more
 */
export type ServeLine = (request: LineRequest) => Promise<LineResponse>;

/** How a line was counted. */
export type LineKind = 'completed' | 'failed' | 'expired' | 'cancelled';

export interface BatchObserver {
  lineEnded(kind: LineKind): void;
}

/** The vendors that run batches. */
export interface VendorBatches {
  /** Returns the account that runs a batch. Undefined if workers send its requests. */
  accountOf(batch: { id: string; endpoint: string; model: string }): { account: string; model: string } | undefined;
  /** Undefined if the account does not exist any more, or has no batches. */
  open(account: string): VendorBatchCapability | undefined;
  /**
   * @param charge see {@link LineCharge}
   * @param due the field of a hash in Redis with the charge, which is removed in the same step. Without it, the charge has
   * no effect. The charge is taken from the reservation of the batch
   * @returns whether it is the first charge
   */
  charge(charge: string, due: DueCharge): Promise<boolean>;
}

export interface WorkerSettings extends BatchSettings {
  /** Maximum lines in flight at one upstream. */
  maxInFlight: number;
  /** If a worker stalls, its jobs are repeated after this time. */
  leaseMs: number;
  /** Interval between checks for jobs. */
  pollMs: number;
  /** Time until a job that failed (e.g. because the content store is unavailable) is repeated. */
  retryMs: number;
  /** Minimum interval between polls of a vendor's batch. */
  vendorPollMs: number;
  /** Time for which a lost submission to a vendor is looked up. */
  lookUpMs: number;
}

export interface WorkerContext {
  redis: Redis;
  keys: BatchKeys;
  files: FileStore;
  settings: WorkerSettings;
  leases: Leases;
  serve: ServeLine;
  vendors: VendorBatches;
  /** Returns the slots at the upstream that serves a model first. */
  poolOf: (model: string | undefined) => SlotPool;
  /** Limits the lines in memory. */
  memory: ByteBudget;
  observer: BatchObserver | undefined;
  logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  now: () => number;
  /** Aborts when no further lines may be started. */
  stopping: AbortSignal;
  /** Aborts when lines in flight must end. */
  aborting: AbortSignal;
}
