import type { WebhookEvent } from '@sluice/canonical';
import type { ResponseEvent } from '@sluice/protocols';
import type { StoredResponse } from '../records/stored-response.ts';

export type JobKind = 'run' | 'poll';

/** Identifies a job, and the claim of a worker. */
export interface JobClaim {
  /** The hash of the response's owner and id. */
  ref: string;
  epoch: number;
}

/** A claimed job of a background response. See `lua/includes/job.lua` for its states. */
export interface ResponseJob extends JobClaim {
  state: 'queued' | 'called' | 'ended';
  owner: string;
  id: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** The client's request. Empty for a poll, and after the response has ended. */
  body: Buffer;
  /** Headers of the client's request that the run needs, e.g. its id. */
  headers: Readonly<Record<string, string>>;
  /** JSON of the caller: how the request was admitted. */
  admission?: string;
  /** JSON of the caller: what to charge if the end of a response at its vendor stays unknown. */
  unknown?: string;
  /** JSON of the caller: usage of an ended response that is not charged yet. */
  charge?: string;
}

/** Identifies the requests of an owner that repeat each other. */
export interface Repetition {
  /** The `Idempotency-Key` of the client. */
  key: string;
  /** Hash of the request. */
  digest: string;
}

export type NewRun = Pick<ResponseJob, 'headers' | 'createdAt' | 'admission'> & {
  body: Uint8Array;
  /** The first events of the stream, with the numbers 0, 1, and so on. */
  events: readonly string[];
  repetition?: Repetition | undefined;
} & Reserved;

export type NewPoll = Pick<ResponseJob, 'createdAt' | 'unknown'> & { delayMs: number } & Reserved;

interface Reserved {
  /** The id of the request's reservation, which the job takes over until it is removed. */
  reservationId?: string | undefined;
}

export interface ResponseEnd {
  /** Omitted if the record does not change. */
  record?: StoredResponse;
  /** The last event of the stream. */
  event?: ResponseEvent;
  webhook?: WebhookEvent | undefined;
  /** Omitted if nothing must be charged. */
  charge?: string | undefined;
  /** Time for the worker to charge the usage before another one does, in milliseconds. */
  leaseMs?: number;
}
