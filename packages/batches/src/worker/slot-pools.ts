import type { SegmentRun } from './segment-run.ts';
import { SlotPool } from './slot-pool.ts';

export interface SlotUsage {
  upstream: string;
  inFlight: number;
  limit: number;
}

export interface SlotPoolsOptions {
  /** Returns the name of the upstream that serves a model first. */
  upstreamOf: (model: string | undefined) => string;
  maxInFlight: number;
  now: () => number;
}

/** Maximum segments of one upstream that a worker has at once. */
const MAX_SEGMENTS = 8;

/** The slots of a worker, by upstream. */
export class SlotPools {
  readonly #options: SlotPoolsOptions;
  readonly #pools = new Map<string, SlotPool>();

  constructor(options: SlotPoolsOptions) {
    this.#options = options;
  }

  of(model: string | undefined): SlotPool {
    return this.#at(this.#options.upstreamOf(model));
  }

  #at(upstream: string): SlotPool {
    let pool = this.#pools.get(upstream);
    if (!pool) {
      pool = new SlotPool({ max: this.#options.maxInFlight, now: this.#options.now });
      this.#pools.set(upstream, pool);
    }
    return pool;
  }

  /**
   * Returns what a claim excludes. A worker claims another segment of an upstream if its segments have too few lines left
   * to use all slots, or if it has none of the owner, so that owners share the slots.
   */
  busy(runs: readonly SegmentRun[]): string[] {
    const busy = new Set<string>();
    for (const group of Map.groupBy(runs, ({ batch }) => this.#nameOf(batch.model)).values()) {
      const left = group.reduce((sum, run) => sum + run.left, 0);
      if (left < this.of(group[0]?.batch.model).limit) continue;
      for (const { batch } of group) {
        const model = batch.model ?? '';
        busy.add(group.length >= MAX_SEGMENTS ? model : `${batch.owner} ${model}`);
      }
    }
    return [...busy];
  }

  /** The lines in flight and the limits at these upstreams. */
  usage(upstreams: readonly string[]): SlotUsage[] {
    return upstreams.map((upstream) => {
      const { inFlight, limit } = this.#at(upstream);
      return { upstream, inFlight, limit };
    });
  }

  /** Batches whose lines have several models are one group. */
  #nameOf(model: string | undefined): string {
    return model === undefined ? '' : this.#options.upstreamOf(model);
  }
}
