import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningRedis, type RedisServer, startRedis } from '@sluice/embedded-redis';

/** What {@link keepRedis} works with. */
export interface KeepRedisOptions {
  server: RedisServer;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Waits before the first, second, … start after a death, in milliseconds; the last one is repeated. */
  backOffMs: readonly number[];
  /** A Redis that lived this long is started again at the first wait. */
  steadyMs: number;
  /** Told one line for people. */
  onLine: (line: string) => void;
}

/** A private Redis that is started again when it dies. */
export interface KeptRedis {
  /** The same over all starts. */
  url: string;
  version: string;
  stop(): Promise<void>;
}

/**
 * Starts the private Redis of a data folder and keeps it running at one address.
 * @throws as `startRedis`, when the first start fails
 */
export async function keepRedis(options: KeepRedisOptions): Promise<KeptRedis> {
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
      onLine(`${what}; starting it again in ${wait} ms.`);
      await sleep(wait, undefined, { signal: stopped.signal });
    };
    while (!stopped.signal.aborted) {
      if (current) {
        await current.exited;
        if (stopped.signal.aborted) return;
        if (performance.now() - begun >= steadyMs) deaths = 0;
        const how = current.tail() || 'it was killed';
        current = undefined;
        await pause(`The private Redis ended (${how})`);
      }
      begun = performance.now();
      try {
        current = await startRedis({ server, dataDir, env, address: first.address });
      } catch (error) {
        await pause(error instanceof Error ? error.message.replace(/\.$/, '') : String(error));
      }
    }
  };
  // The only rejection is that of the sleep that a stop cuts short.
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
