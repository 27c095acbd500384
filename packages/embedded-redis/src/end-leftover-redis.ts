import { setTimeout as sleep } from 'node:timers/promises';
import { queryRedis } from './query-redis.ts';

/**
 * Stops a Redis that a killed Sluice left running on a data folder. That Redis usually exits by itself within moments.
 * If it does not, it receives a shutdown command.
 * @throws if it still runs after `timeoutMs`, because two servers must never write to one append-only file
 */
export async function endLeftoverRedis(socketPath: string, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs;
  const pid = await redisPid(socketPath);
  if (pid === undefined) return;
  let isShutdownSent = false;
  while (isRunning(pid)) {
    if (Date.now() > until)
      throw new Error(`The Redis of an earlier run (process ${pid}) does not stop. End that process and start again.`);
    await sleep(50);
    if (!isShutdownSent && Date.now() > until - timeoutMs / 2) {
      isShutdownSent = true;
      await queryRedis({ path: socketPath }, ['SHUTDOWN', 'NOSAVE'], 2_000).catch(() => undefined);
    }
  }
}

async function redisPid(socketPath: string): Promise<number | undefined> {
  const info = await queryRedis({ path: socketPath }, ['INFO', 'server'], 2_000).catch(() => undefined);
  const pid = typeof info === 'string' ? /process_id:(\d+)/.exec(info)?.[1] : undefined;
  return pid === undefined ? undefined : Number(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
