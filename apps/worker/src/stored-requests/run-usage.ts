import type { StoredRun } from '@sluice/api';
import type { Admission, RecordedUsage } from '@sluice/limits';
import type { ResponseJob, StoredResponse } from '@sluice/responses';

/** Time for the end of an internal request to be noticed. */
const REPORT_MS = 5_000;

export interface Reported {
  usage: RecordedUsage | undefined;
  /** Counts the usage in metrics. Undefined if it was counted. */
  count?: (() => void) | undefined;
}

/** Receives the usage of an internal request, so that it is charged with the end of the response. */
export class RunUsage {
  readonly run: StoredRun;
  readonly #reported = Promise.withResolvers<Reported>();
  /** Set when the request is reserved. */
  #endNow: (() => void) | undefined;

  constructor(
    { admission }: Pick<ResponseJob, 'admission'>,
    { id, createdAt }: Pick<StoredResponse, 'id' | 'createdAt'>,
  ) {
    this.run = {
      responseId: id,
      createdAt,
      // The cast is safe because the API wrote this value.
      ...(admission !== undefined && { admission: JSON.parse(admission) as Admission }),
      onReserved: (endNow) => {
        this.#endNow = endNow;
      },
      onUsage: (usage, count) => this.#reported.resolve({ usage, count }),
    };
  }

  /** The usage of a response without a call, which only releases the reservation. */
  get none(): RecordedUsage | undefined {
    const { admission } = this.run;
    return admission && { admission, used: { tokens: 0, nanos: 0 } };
  }

  /**
   * Returns the usage after the request has ended. A request that was refused before its reservation has none. If the end
   * is not noticed in time (e.g. because the machine was suspended), the usage so far is recorded.
   */
  async ended(): Promise<RecordedUsage | undefined> {
    if (!this.#endNow) return this.none;
    const inTime = await this.#inTime();
    if (inTime) return inTime.usage;
    this.#endNow();
    return (await this.#reported.promise).usage;
  }

  /** Like {@link ended}. @throws Error if the usage is not reported in time */
  async reported(): Promise<Reported> {
    if (!this.#endNow) return { usage: this.none };
    const reported = await this.#inTime();
    if (!reported) throw new Error('the usage of a request was not reported in time');
    return reported;
  }

  async #inTime(): Promise<Reported | undefined> {
    const timeout = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => timeout.resolve(undefined), REPORT_MS);
    const reported = await Promise.race([this.#reported.promise, timeout.promise]);
    clearTimeout(timer);
    return reported;
  }
}
