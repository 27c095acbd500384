import type { Redis } from 'ioredis';
import { textPrefix } from '../records/response-keys.ts';

/** Numbers of background responses. */
export interface JobStats {
  /** No worker runs them yet. */
  waiting: number;
  running: number;
  /** Their vendor generates them. */
  polled: number;
}

export async function readJobStats(redis: Redis, prefix: string): Promise<JobStats> {
  const keys = textPrefix(prefix);
  const runs = `${keys}due:run`;
  const [seconds = 0, microseconds = 0] = await redis.time();
  const now = seconds * 1_000 + microseconds / 1_000;
  const [due, all, waiting, polled] = await Promise.all([
    redis.zcount(runs, '-inf', now),
    redis.zcard(runs),
    redis.zcard(`${keys}waiting:run`),
    redis.zcard(`${keys}due:poll`),
  ]);
  return { waiting: waiting + due, running: Math.max(0, all - due), polled };
}
