import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Resource usage of a process. */
export interface Sample {
  rssBytes: number;
  /** Live part of V8's heap. */
  heapBytes: number;
  /** V8's heap, used or not. */
  heapTakenBytes: number;
  /** Buffers and the like, outside of that heap. */
  externalBytes: number;
  /** The 99th percentile since the last sample, milliseconds. */
  loopDelayMs: number;
}

/** The request and the response of a sample. */
export const ASK = 'soak-sample';

// Preloaded with `--import`, so that the product's own programs run unchanged.
if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', (message: { ask?: string }) => {
    if (message.ask !== ASK) return;
    // Uncollected garbage would hide leaks for minutes.
    globalThis.gc?.();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const sample: Sample = {
      rssBytes: rss,
      heapBytes: heapUsed,
      heapTakenBytes: heapTotal,
      externalBytes: external,
      loopDelayMs: delays.percentile(99) / 1e6,
    };
    delays.reset();
    process.send?.({ responseTo: ASK, sample });
  });
}
