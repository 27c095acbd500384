import { createShardEngine, type TaskEngineOptions } from './create-shard-engine.ts';
import { COPY_MS, copyPauses } from './copy-pauses.ts';
import { shardedEngine, type Shards } from './sharded-engine.ts';
import { shardOptions } from './shard-options.ts';
import type { TaskEngine } from './task-engine.ts';

/** Opens the home and all other shards of the configuration. */
export async function createTaskEngine(options: TaskEngineOptions): Promise<TaskEngine> {
  const [first, ...rest] = shardOptions(options);
  const [home, others] = await Promise.all([
    createShardEngine(first),
    Promise.all(rest.map((one, index) => createShardEngine(one, index + 1))),
  ]);
  if (others.length === 0) return home;
  const shards: Shards = [home, ...others];
  const copy = () => copyPauses(shards, options.logger);
  await copy();
  const copying = setInterval(() => void copy(), COPY_MS).unref();
  const engine = shardedEngine(shards, options.accounts);
  return {
    ...engine,
    async close() {
      clearInterval(copying);
      await engine.close();
    },
  };
}
