import type { Logger } from '@sluice/telemetry';
import type { ShardEngine } from './create-shard-engine.ts';

/** The interval of the copies. It is short, because tasks of a paused owner may start until then. */
export const COPY_MS = 2_000;

/**
 * Pauses and resumes owners on all shards as on the home. A shard may not know the pauses, because it was added later,
 * or was unavailable at the time. A shard that is unavailable now is ignored until the next copy.
 */
export async function copyPauses(
  [home, ...others]: readonly [ShardEngine, ...ShardEngine[]],
  logger: Pick<Logger, 'debug'>,
): Promise<void> {
  const copies = await Promise.allSettled(others.map((shard) => copyTo(shard, home)));
  for (const copy of copies) {
    // The connections log the outages.
    if (copy.status === 'rejected') logger.debug({ err: copy.reason as unknown }, 'pauses were not copied to a shard');
  }
}

async function copyTo(shard: ShardEngine, home: ShardEngine): Promise<void> {
  const [known, paused] = await Promise.all([namesOf(shard), namesOf(home)]);
  for (const owner of new Set([...known, ...paused])) {
    if (known.has(owner) !== paused.has(owner)) await follow(shard, home, owner);
  }
}

const namesOf = async (engine: ShardEngine) => new Set(await engine.pausedOwners());

/** Repeats the copy if the owner changes the home meanwhile, so that it undoes no later change. */
async function follow(shard: ShardEngine, home: ShardEngine, owner: string): Promise<void> {
  let copied: boolean | undefined;
  for (let paused = await home.isOwnerPaused(owner); paused !== copied; paused = await home.isOwnerPaused(owner)) {
    await shard.pauseOwner(owner, paused);
    copied = paused;
  }
}
