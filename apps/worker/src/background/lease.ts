import type { JobClaim, ResponseJobs } from '@sluice/responses';

export interface LeaseOptions {
  jobs: Pick<ResponseJobs, 'renew'>;
  claim: JobClaim;
  leaseMs: number;
  heartbeatMs: number;
}

/** Keeps a claim until it is stopped, or until another worker or a client has taken the job. */
export class Lease {
  /** `lost`: another worker has claimed the job. `gone`: a client has ended the response. */
  state: 'held' | 'lost' | 'gone' = 'held';
  readonly #options: LeaseOptions;
  readonly #ended = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(options: LeaseOptions) {
    this.#options = options;
    // The connection logs outages, and a later heartbeat may succeed.
    const beat = (): void => void this.renew().catch(() => undefined);
    this.#timer = setInterval(beat, options.heartbeatMs).unref();
  }

  /** Aborts when the job is lost or gone. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** @param delayMs time after which another worker may claim the job; by default, the time of a lease */
  async renew(delayMs = this.#options.leaseMs): Promise<void> {
    if (this.state !== 'held') return;
    const result = await this.#options.jobs.renew(this.#options.claim, delayMs);
    if (result === 'renewed') return;
    this.state = result;
    this.#ended.abort();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
