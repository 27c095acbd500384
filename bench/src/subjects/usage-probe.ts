import { respondToRequests } from '../questions.ts';

/** What a process has used since it began. */
export interface Usage {
  /** User and system time of all its threads, microseconds. */
  cpuUs: number;
  /** Resident memory now, bytes. */
  rssBytes: number;
}

// Preloaded with `--import` into every process under test, so that the product's own programs run unchanged.
respondToRequests({
  usage: (): Usage => {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
  },
});
