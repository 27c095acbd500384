import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningRedis, type RedisServer, startRedis } from '@sluice/embedded-redis';

export interface SuperviseRedisOptions {
  server: RedisServer;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Milliseconds to wait before the first, second, and further restarts. The last value repeats. */
  backOffMs: readonly number[];
  /** The wait is reset after this uptime in milliseconds. */
  steadyMs: number;
  /** Receives each line of text to show to the user. */
  onLine: (line: string) => void;
}

/** A private Redis that is restarted when it dies. */
export interface SupervisedRedis {
  /** Stays the same across restarts. */
  url: string;
  version: string;
  stop(): Promise<void>;
}

/**
 * Starts the data folder's private Redis and keeps it running at one address.
 * @throws the errors of `startRedis`, if the first start fails
 */
export async function superviseRedis(options: SuperviseRedisOptions): Promise<SupervisedRedis> {
  const { server, dataDir, env, backOffMs, steadyMs, onLine } = options;
  const first = await startRedis({ server, dataDir, env });
  const stopped = new AbortController();
  let current: RunningRedis | undefined = first;

  const keep = async () => {
    let deaths = 0;
    let begun = performance.now();
    const pause = async (what: string) => {
      const wait = backOffMs[Math.min(deaths, backOffMs.length - 1)] ?? 0;
      deaths += 1;
      onLine(`${what}. Restarting it in ${wait} ms.`);
      await sleep(wait, undefined, { signal: stopped.signal });
    };
    while (!stopped.signal.aborted) {
      if (current) {
        await current.exited;
        if (stopped.signal.aborted) return;
        if (performance.now() - begun >= steadyMs) deaths = 0;
        const how = current.tail() || 'killed';
        current = undefined;
        await pause(`The private Redis exited (${how})`);
      }
      begun = performance.now();
      try {
        current = await startRedis({ server, dataDir, env, address: first.address });
      } catch (error) {
        await pause(error instanceof Error ? error.message.replace(/\.$/, '') : String(error));
      }
    }
  };
  // Only rejects when a stop interrupts the wait.
  const keeping = keep().catch(() => undefined);

  return {
    url: first.url,
    version: first.version,
    stop: async () => {
      stopped.abort();
      await current?.stop();
      await keeping;
      await current?.stop();
    },
  };
}
