import { respondToRequests } from '../requests.ts';

/** Resource usage of a process since its start. */
export interface Usage {
  /** User and system time of all threads, in microseconds. */
  cpuUs: number;
  /** Resident memory, in bytes. */
  rssBytes: number;
}

// Preloaded with `--import` into every process under test, so that the product's programs run unchanged.
respondToRequests({
  usage: (): Usage => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
  },
});
