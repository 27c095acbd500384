import { setTimeout as sleep } from 'node:timers/promises';
import { openRedis } from '@sluice/testkit';
import { residentBytes } from '../processes.ts';
import type { Stack } from '../stack.ts';

const POLL_MS = 500;

/** Samples the memory of the API, of the workers of the stack, and of Redis until the signal aborts. @returns the peaks */
export async function measurePeaks(stack: Stack, redisUrl: string, stop: AbortSignal): Promise<Map<string, number>> {
  const peaks = new Map<string, number>();
  const add = (name: string, bytes: number) => peaks.set(name, Math.max(bytes, peaks.get(name) ?? 0));
  const redis = openRedis(redisUrl);
  while (!stop.aborted) {
    const running = stack.workers.filter(({ process: { exitCode, signalCode } }) => exitCode === null && !signalCode);
    for (const worker of running) add('worker', residentBytes(worker.process.pid));
    add('API', residentBytes(stack.api.process.pid));
    add('Redis', Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]));
    await sleep(POLL_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  redis.disconnect();
  return peaks;
}
