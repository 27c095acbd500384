import { type Config, groupSettings } from '@sluice/config';
import { startGroupWorker } from '@sluice/groups';
import { openRedisConnection, type RedisSettings } from '@sluice/redis';
import type { TaskWorker } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { LazyInternalApi } from '../stored-requests/lazy-internal-api.ts';

export interface StartGroupsOptions {
  config: Config;
  settings: RedisSettings;
  api: Pick<LazyInternalApi, 'serve'>;
  tasks: Pick<TaskWorker, 'find'>;
  logger: Logger;
}

export interface StartedGroups {
  /** Starts no further checks, and lets those in progress end within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** The time after which another worker continues the work of a stalled one. */
const LEASE_MS = 60_000;

/** Starts to create and follow the videos of groups. Groups are in the home Redis, whichever shards have the tasks. */
export function startGroups({ config, settings, api, tasks, logger }: StartGroupsOptions): StartedGroups {
  const redis = openRedisConnection({ redis: settings, role: 'worker', logger });
  const worker = startGroupWorker({
    redis,
    prefix: config.redis.prefix,
    settings: { ...groupSettings(config), pollMs: config.video_groups.poll_ms, leaseMs: LEASE_MS },
    serve: (call) => api.serve({ ...call, method: 'POST' }),
    findTask: tasks.find,
    logger,
  });
  return {
    async close(graceMs) {
      await worker.close(graceMs);
      redis.disconnect();
    },
  };
}
