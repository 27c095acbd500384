import { type Config, fileSettings, upstreamSettings } from '@sluice/config';
import type { ContentStore } from '@sluice/content';
import { createFileStore, startFileSweeper } from '@sluice/files';
import { openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { Logger } from '@sluice/telemetry';
import { buildUpstreams, type UpstreamConnections } from '@sluice/upstreams';
import { removeCopies } from './remove-copies.ts';

export interface StartedFiles {
  update(config: Config): void;
  /** Waits for the sweep in progress. */
  close(): Promise<void>;
}

interface FilesOptions {
  config: Config;
  settings: RedisSettings;
  content: ContentStore;
  connections: UpstreamConnections;
  logger: Logger;
}

/** Starts to remove files that have expired, and copies of deleted files at vendors. */
export function startFiles({ config, settings, content, connections, logger }: FilesOptions): StartedFiles {
  const redis = openRedisConnection({ redis: settings, role: 'worker', logger });
  const files = createFileStore({ redis, prefix: config.redis.prefix, content, settings: fileSettings(config) });
  const accountsOf = (current: Config) =>
    buildUpstreams({ ...upstreamSettings(current), logger, connections }).accounts;
  let accounts = accountsOf(config);
  const stopped = new AbortController();
  async function sweep(): Promise<void> {
    await files.sweep();
    await removeCopies({ copies: files.copies, accounts, logger, signal: stopped.signal, now: Date.now });
  }
  const sweeper = startFileSweeper({ sweep }, config.tasks.sweep_ms, logger);
  return {
    update(next) {
      accounts = accountsOf(next);
    },
    async close() {
      stopped.abort();
      await sweeper.close();
      redis.disconnect();
    },
  };
}
