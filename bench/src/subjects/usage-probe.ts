import { type Profiler, Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { respondToRequests } from './requests.ts';

/** Resource usage of a process since it started. */
export interface Usage {
  /** User and system CPU time of all threads, in microseconds. */
  cpuUs: number;
  /** The part of the main thread. */
  mainThreadUs: number;
  /** Resident memory, in bytes. */
  rssBytes: number;
}

export type CpuProfile = Profiler.Profile;

/** Milliseconds. The histogram needs a resolution well below the delays of interest. */
const delays = monitorEventLoopDelay({ resolution: 2 });

const session = new Session();
/** The profiler samples the stack once in this time, in microseconds. */
const SAMPLE_US = 200;

// Preloaded into every measured process with `--import`, so that Sluice's programs run unchanged.
respondToRequests({
  usage: (): Usage => {
    const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
    const mainThreadUs = main.user + main.system;
    return { cpuUs: all.user + all.system, mainThreadUs, rssBytes: process.memoryUsage.rss() };
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
  'start-profile': async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
    await session.post('Profiler.start');
  },
  'stop-profile': async (): Promise<CpuProfile> => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return profile;
  },
});
