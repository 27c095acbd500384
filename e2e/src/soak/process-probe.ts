import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a process knows of itself. */
export interface Sample {
  rssBytes: number;
  /** What is alive of V8's heap. */
  heapBytes: number;
  /** What V8 has taken for its heap, used or not. */
  heapTakenBytes: number;
  /** Buffers and the like, outside of that heap. */
  externalBytes: number;
  /** The 99th percentile since the last sample, milliseconds. */
  loopDelayMs: number;
}

/** The one question that is asked, and the message that answers it. */
export const ASK = 'soak-sample';

// Preloaded with `--import`, so that the product's own programs run unchanged.
if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', (message: { ask?: string }) => {
    if (message.ask !== ASK) return;
    // What is only waiting to be collected, for minutes where there is room, hides what is never let go.
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
