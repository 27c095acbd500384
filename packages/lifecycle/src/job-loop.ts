export interface JobLoopOptions<Job> {
  /** Claims at most `free` jobs that are due. */
  claim: (free: number) => Promise<readonly Job[]>;
  /** Runs a job, and handles its errors. */
  run: (job: Job) => Promise<void>;
  /** Maximum jobs at the same time. */
  slots: () => number;
  /** The time between two claims while no job is due. */
  idleMs: number;
  /** Called with the error of a claim. The next claim follows after a pause. */
  claimFailed: (error: unknown) => void;
  /** The time for aborted jobs to end. By default, 1 s. */
  abortGraceMs?: number;
}

const FAILURE_PAUSE_MS = 1_000;
const ABORT_GRACE_MS = 1_000;

/** Claims jobs while slots are free, and runs them concurrently. */
export class JobLoop<Job> {
  readonly #options: JobLoopOptions<Job>;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;

  constructor(options: JobLoopOptions<Job>) {
    this.#options = options;
  }

  /** Aborts when no further work may be started. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborts when jobs in flight must end. */
  get aborting(): AbortSignal {
    return this.#aborting.signal;
  }

  start(): void {
    this.#ended = this.#claimUntilStopped();
  }

  /** Lets the loop claim at once. */
  wake(): void {
    this.#wake?.();
  }

  /** Claims no more jobs, and waits for those in flight. After `graceMs`, aborts them, and waits for `abortGraceMs`. */
  async close(graceMs: number): Promise<void> {
    this.#stopping.abort(new Error('the worker stops'));
    this.wake();
    const { promise: timeout, resolve } = Promise.withResolvers<void>();
    const { abortGraceMs = ABORT_GRACE_MS } = this.#options;
    const abortTimer = setTimeout(() => this.#aborting.abort(new Error('the worker stops')), graceMs);
    const endTimer = setTimeout(resolve, graceMs + abortGraceMs);
    await Promise.race([this.#ended.then(() => Promise.all(this.#running)), timeout]);
    clearTimeout(abortTimer);
    clearTimeout(endTimer);
  }

  async #claimUntilStopped(): Promise<void> {
    const { claim, slots, idleMs, claimFailed } = this.#options;
    while (!this.stopping.aborted) {
      // Created before the claim, so that a job that ends during the claim wakes the loop.
      const { promise: woken, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      let pauseMs = idleMs;
      const free = slots() - this.#running.size;
      const jobs = await (free > 0 ? claim(free) : Promise.resolve([])).catch((error: unknown) => {
        claimFailed(error);
        pauseMs = FAILURE_PAUSE_MS;
        return [];
      });
      for (const job of jobs) this.#start(job);
      if (jobs.length > 0) continue;
      const timer = setTimeout(resolve, pauseMs);
      await woken;
      clearTimeout(timer);
    }
  }

  #start(job: Job): void {
    const running = this.#options.run(job).finally(() => {
      this.#running.delete(running);
      this.wake();
    });
    this.#running.add(running);
  }
}
