import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Sample {
  rssBytes: number;
  /** Size of the used part of V8's heap. */
  heapBytes: number;
  /** Size of V8's heap, including its unused part. */
  heapTotalBytes: number;
  /** Size of buffers outside V8's heap. */
  externalBytes: number;
  /** The 99th percentile of the event loop delay since the last sample. */
  loopDelayMs: number;
}

/** IPC message that requests a sample. */
export const SAMPLE_REQUEST = 'soak-sample';

// Preloaded with `--import`, so that Sluice's programs run unchanged.
if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.on('message', (message: { request?: string }) => {
    if (message.request !== SAMPLE_REQUEST) return;
    // Without a collection, garbage would hide leaks for minutes.
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
