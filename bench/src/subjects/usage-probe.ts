import { monitorEventLoopDelay } from 'node:perf_hooks';
import { respondToRequests } from './requests.ts';

/** Resource usage of a process since it started. */
export interface Usage {
  /** User and system CPU time of all threads, in microseconds. */
  cpuUs: number;
  /** Resident memory, in bytes. */
  rssBytes: number;
}

/** Milliseconds. The histogram needs a resolution well below the delays of interest. */
const delays = monitorEventLoopDelay({ resolution: 2 });

// Preloaded into every measured process with `--import`, so that Sluice's programs run unchanged.
respondToRequests({
  usage: (): Usage => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
  },
  'watch-delays': () => {
    delays.reset();
    delays.enable();
  },
  /** @returns the longest time for which the event loop was blocked, in milliseconds */
  'longest-delay': (): number => {
    delays.disable();
    return delays.max / 1e6;
  },
});
