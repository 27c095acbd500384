import { randomUUID } from 'node:crypto';
import type { MediaTask } from '@sluice/canonical';
import { JobLoop } from '@sluice/lifecycle';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { createGroupKeys } from './store/group-keys.ts';
import { defineGroupScripts } from './store/group-scripts.ts';
import type { GroupSettings } from './store/group-settings.ts';
import { checkGroup } from './worker/check-group.ts';
import type { Lease, ServeVideo, WorkerContext } from './worker/worker-context.ts';

export type { ServeVideo } from './worker/worker-context.ts';

export interface GroupWorkerOptions {
  /** A connection whose commands wait while Redis is unavailable. The caller closes it. */
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  settings: GroupSettings & {
    /** The interval between the checks of a group. */
    pollMs: number;
    /** The time after which another worker continues the work of a stalled one. */
    leaseMs: number;
  };
  serve: ServeVideo;
  /** @returns undefined if the task does not exist or is deleted */
  findTask: (id: string) => Promise<MediaTask | undefined>;
  logger: Pick<Logger, 'warn' | 'error'>;
  now?: () => number;
}

export interface GroupWorker {
  /** Starts no further checks, and lets those in progress end within `graceMs`. */
  close(graceMs: number): Promise<void>;
}

/** The pause after a failed check. */
const FAILURE_PAUSE_MS = 1_000;
/** Maximum groups that one process checks at the same time, so that a large one does not delay others. */
const SLOTS = 4;

/**
 * Creates the tasks of groups, and records how they end. Any number of processes can share the work. If one dies,
 * another continues when the lease ends.
 */
export function startGroupWorker(options: GroupWorkerOptions): GroupWorker {
  const { redis, settings, logger, now = Date.now } = options;
  const { leaseMs, pollMs } = settings;
  const keys = createGroupKeys(options.prefix);
  defineGroupScripts(redis);
  const loop = new JobLoop<Lease>({
    async claim() {
      const token = randomUUID();
      const id = await redis.groupsClaim(keys.root, now(), now() + leaseMs, token);
      return id === '' ? [] : [{ id, token }];
    },
    run: check,
    slots: () => SLOTS,
    idleMs: pollMs,
    claimFailed: (error) => logger.error({ err: error }, 'groups could not be claimed'),
  });
  const { stopping, aborting } = loop;
  const context: WorkerContext = { ...options, now, keys, stopping, aborting };

  async function check(lease: Lease): Promise<void> {
    try {
      const nextAt = await checkGroup(context, lease).catch((error: unknown) => {
        if (!aborting.aborted) logger.warn({ err: error, group: lease.id }, 'group could not be checked');
        return now() + FAILURE_PAUSE_MS;
      });
      await redis.groupsRelease(keys.root, lease.id, lease.token, nextAt);
    } catch (error) {
      // The lease ends, and the group is then checked again.
      logger.error({ err: error, group: lease.id }, 'group could not be released');
    }
  }

  loop.start();
  return { close: (graceMs) => loop.close(graceMs) };
}
