import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Sample {
  rssBytes: number;
  /** Live part of V8's heap. */
  heapBytes: number;
  /** V8's heap, including its unused part. */
  heapTotalBytes: number;
  /** Buffers outside the heap. */
  externalBytes: number;
  /** The 99th percentile since the last sample, milliseconds. */
  loopDelayMs: number;
}

/** Name of the IPC request for a sample. */
export const SAMPLE_REQUEST = 'soak-sample';

// Preloaded with `--import`, so that the product's own programs run unchanged.
if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', (message: { request?: string }) => {
    if (message.request !== SAMPLE_REQUEST) return;
    // Uncollected garbage would hide leaks for minutes.
    globalThis.gc?.();
    const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
    const sample: Sample = {
      rssBytes: rss,
      heapBytes: heapUsed,
      heapTotalBytes: heapTotal,
      externalBytes: external,
      loopDelayMs: delays.percentile(99) / 1e6,
    };
    delays.reset();
    process.send?.({ responseTo: SAMPLE_REQUEST, sample });
  });
}
