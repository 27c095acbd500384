import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { createWebhookKeys } from '../store/webhook-keys.ts';
import { defineWebhookScripts } from '../store/webhook-scripts.ts';

export interface ForwardOutboxOptions {
  /** The Redis whose tasks have ended. */
  shard: Redis;
  /** The Redis with the webhooks. */
  home: Redis;
  /** The prefixes of the keys on both. */
  prefixes: { shard: string; home: string };
  everyMs: number;
  logger: Pick<Logger, 'warn'>;
}

const BATCH = 100;
const LEASE_MS = 10_000;

/**
 * Moves the ends of tasks from a shard to the home, which delivers them. If a worker dies in between, an end is moved
 * twice, and webhooks receive its event twice under one id. The caller closes the connections after `close`.
 */
export function forwardOutbox(options: ForwardOutboxOptions): { close: () => Promise<void> } {
  const { shard, everyMs, logger } = options;
  defineWebhookScripts(shard);
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      const moved = await forwardBatch(options).catch((error: unknown) => {
        logger.warn({ err: error }, 'ends of tasks could not be moved to the home');
        return 0;
      });
      if (moved < BATCH) await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    async close() {
      closing.abort();
      // A command may wait for a Redis that is away.
      await Promise.race([ended, sleep(everyMs, undefined, { ref: false })]);
    },
  };
}

/** @returns the number of moved ends */
async function forwardBatch({ shard, home, prefixes }: ForwardOutboxOptions): Promise<number> {
  const { outbox, forwarding } = createWebhookKeys(prefixes.shard);
  const { outbox: homeOutbox } = createWebhookKeys(prefixes.home);
  const token = randomUUID();
  if ((await shard.exists(outbox)) === 0) return 0;
  if (!(await shard.set(forwarding, token, 'PX', LEASE_MS, 'NX'))) return 0;
  const entries = await shard.lrange(outbox, 0, BATCH - 1);
  if (entries.length > 0) await home.rpush(homeOutbox, ...entries);
  await shard.webhooksEndForwarding(forwarding, outbox, token, entries.length);
  return entries.length;
}
