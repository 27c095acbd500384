import type { MediaTask } from '@sluice/canonical';
import { openRedisConnection } from '@sluice/redis';
import { findTask } from '../engine/find-task.ts';
import { guarded } from '../store/guarded.ts';
import { createKeyspace } from '../store/keyspace.ts';
import { TaskStore } from '../store/task-store.ts';
import { createShardWorker, type TaskWorker, type TaskWorkerOptions } from '../worker/create-shard-worker.ts';
import { shardOf } from './shard-of.ts';
import { settingsOf, shardOptions } from './shard-options.ts';

export type { TaskWorker, TaskWorkerOptions, TaskWorkerUpdate } from '../worker/create-shard-worker.ts';

/** Starts a worker for the configured shards, or for those that `options.shards` lists. */
export async function createTaskWorker(options: TaskWorkerOptions): Promise<TaskWorker> {
  const all = shardOptions(options);
  if (all.length === 1) return createShardWorker(all[0]);
  const served = options.shards ?? [...all.keys()];
  const readers = all.map((one) => openReader(one));
  const workers = await Promise.all(
    [...all.entries()]
      .filter(([shard]) => served.includes(shard))
      .map(async ([shard, one]) => {
        const peers = readers.filter((_, other) => other !== shard).map(({ store }) => store);
        return { shard, worker: await createShardWorker(one, peers) };
      }),
  );
  return {
    update(next) {
      for (const { shard, worker } of workers) {
        worker.update({ ...next, settings: settingsOf(next.settings, shard) });
      }
    },
    async ready() {
      const ready = await Promise.all(workers.map(({ worker }) => worker.ready()));
      return ready.some(Boolean); // The tasks of the others wait.
    },
    find: async (id) => (await readers[shardOf(id)]?.find(id)) ?? undefined,
    async close(graceMs) {
      await Promise.all(workers.map(({ worker }) => worker.close(graceMs)));
      for (const { redis } of readers) redis.disconnect();
    },
  };
}

/** Reads records of a shard. Its commands fail at once, so that a lost shard does not delay what belongs to others. */
function openReader({ redis: settings, prefix, logger, now = Date.now, ...options }: TaskWorkerOptions) {
  const redis = openRedisConnection({ redis: settings, role: 'api', logger });
  const store = new TaskStore(redis, createKeyspace(prefix), { now, ...options.settings, logger });
  return {
    redis,
    store,
    /** @throws GatewayError `store_unavailable` */
    async find(id: string): Promise<MediaTask | undefined> {
      const found = await guarded(() => findTask({ store, now }, id));
      const { prompt: _prompt, ...task } = found ?? { prompt: undefined };
      return 'id' in task ? task : undefined;
    },
  };
}
