import { GatewayError, type MediaTask } from '@sluice/canonical';
import type { ShardEngine } from './create-shard-engine.ts';
import { mayBeRepeated } from '../engine/knows-task.ts';
import type { AdmittedTask, NewTask, TaskListing, TaskPage } from '../engine/task-requests.ts';
import type { BrowsedTasks, TaskBrowsing } from '../operator/browse-tasks.ts';
import type { AccountCaps } from '../store/task-settings.ts';
import type { TaskEngine } from './task-engine.ts';
import { COPY_MS } from './copy-pauses.ts';
import { mergePages } from './merge-pages.ts';
import { mergeStats } from './merge-stats.ts';
import { placeTask } from './place-task.ts';
import { onShard, shardOf } from './shard-of.ts';
import { settingsOf } from './shard-options.ts';
import { compareText, cursorOn, shardedOperator } from './sharded-operator.ts';

/** The home, then the other shards. */
export type Shards = readonly [ShardEngine, ...ShardEngine[]];

/** One engine over several Redis servers. An id names its shard, so that the loss of one affects only its tasks. */
export function shardedEngine(engines: Shards, accounts: Record<string, AccountCaps>): TaskEngine {
  const [home, ...others] = engines;
  let caps = accounts;
  const of = (id: string): ShardEngine => engines[shardOf(id)] ?? home;
  return {
    submit: (newTask) => submitToShard(engines, placeTask(newTask, caps, engines.length), newTask),
    // Tasks of owners with a cap are on the home.
    capOwners: (owners) => home.capOwners(owners),
    find: (ownerId, id) => of(id).find(ownerId, id),
    findByExternalId: (ownerId, externalId) =>
      findAnywhere(engines, (one) => one.findByExternalId(ownerId, externalId)),
    findForLink: (id) => of(id).findForLink(id),
    list: (ownerId, listing) => listShards(engines, ownerId, listing),
    browse: (browsing) => browseShards(engines, browsing),
    cancel: (ownerId, id) => of(id).cancel(ownerId, id),
    change: (ownerId, id, change) => of(id).change(ownerId, id, change),
    async pauseOwner(ownerId, paused) {
      // The home decides, and `copyPauses` lets a shard follow that is unavailable now.
      await home.pauseOwner(ownerId, paused);
      const changes = await Promise.allSettled(others.map((one) => one.pauseOwner(ownerId, paused)));
      const failed = changes.find((change) => change.status === 'rejected');
      if (failed) throw incompletePause(paused, failed.reason);
    },
    isOwnerPaused: (ownerId) => home.isOwnerPaused(ownerId),
    remove: (ownerId, id) => of(id).remove(ownerId, id),
    waitForEnd: (task, timeoutMs, signal) => of(task.id).waitForEnd(task, timeoutMs, signal),
    follow: (task, after, signal) => of(task.id).follow(task, after, signal),
    watch(listener) {
      const stops = engines.map((one) => one.watch(listener));
      return () => stops.forEach((stop) => stop());
    },
    pollSoon: (task) => of(task.id).pollSoon(task),
    pollAfterMs: (task) => of(task.id).pollAfterMs(task),
    operator: shardedOperator(engines),
    stats: async () => mergeStats(await settled(engines.map((one) => one.stats()))),
    update(next) {
      caps = next.accounts;
      for (const [shard, one] of engines.entries()) {
        one.update({ ...next, settings: settingsOf(next.settings, shard) });
      }
    },
    ready: () => home.ready(),
    close: async () => void (await Promise.all(engines.map((one) => one.close()))),
  };
}

function incompletePause(paused: boolean, cause: unknown): GatewayError {
  const done = `The tasks are ${paused ? 'paused' : 'resumed'}, except on Redis servers that do not respond.`;
  const message = `${done} These follow within seconds after they respond again, without a repetition.`;
  return new GatewayError('store_unavailable', message, { retryAfterMs: COPY_MS, cause });
}

/**
 * An earlier request decides the shard of a repeated one. If its shard is unavailable, a repeated request fails, because
 * it could create a second task elsewhere. A new request goes to the next shard.
 */
async function submitToShard(engines: Shards, placement: readonly number[], newTask: NewTask): Promise<AdmittedTask> {
  const [home] = engines;
  const candidates = placement.map((shard) => engines[shard] ?? home);
  const [first = home] = candidates;
  if (!mayBeRepeated(newTask)) {
    return (candidates.find((one) => one.isConnected()) ?? first).submit(newTask);
  }
  const others = engines.filter((one) => one !== first && one.isConnected());
  const known = await Promise.all(others.map((one) => one.knows(newTask)));
  const earlier = others.find((_, index) => known[index]);
  if (earlier && !(first.isConnected() && (await first.knows(newTask)))) return earlier.submit(newTask);
  return first.submit(newTask);
}

/** Searches all shards. If one of them is unavailable, the task may be there. */
async function findAnywhere(
  engines: Shards,
  find: (engine: ShardEngine) => Promise<MediaTask | undefined>,
): Promise<MediaTask | undefined> {
  const results = await Promise.allSettled(engines.map(find));
  for (const result of results) if (result.status === 'fulfilled' && result.value) return result.value;
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return undefined;
}

async function listShards(engines: Shards, ownerId: string, listing: TaskListing): Promise<TaskPage> {
  const { after, limit, order } = listing;
  const pages = await Promise.all(
    engines.map((one, shard) =>
      one.list(ownerId, { ...listing, ...(after !== undefined && { after: onShard(after, shard) }) }),
    ),
  );
  const direction = order === 'asc' ? 1 : -1;
  const { items, next } = mergePages(
    pages.map((page) => ({ items: page.tasks, next: page.next })),
    {
      positionOf: ({ id }) => id,
      compare: (one, other) => direction * compareText(onShard(one, 0), onShard(other, 0)),
      limit,
    },
  );
  return { tasks: items, next };
}

/** Newest first, as each shard lists them. A cursor is `<time>.<id>`. */
async function browseShards(engines: Shards, browsing: TaskBrowsing): Promise<BrowsedTasks> {
  const { after, owner, limit } = browsing;
  const pages = await Promise.all(
    engines.map((one, shard) => one.browse({ ...browsing, after: after && cursorOn(after, shard) })),
  );
  // The index of an owner merges the kinds by the time in the ids.
  const keyOf = (cursor: string): string => onShard(owner === undefined ? idOf(cursor) : suffixOf(cursor), 0);
  const { items, next } = mergePages(
    pages.map((page) => ({ items: page.tasks, next: page.next })),
    {
      positionOf: ({ createdAt, id }) => `${createdAt}.${id}`,
      compare: (one, other) =>
        (owner === undefined ? timeOf(other) - timeOf(one) : 0) || compareText(keyOf(other), keyOf(one)),
      limit,
    },
  );
  return { tasks: items, ...(next !== undefined && { next }) };
}

function idOf(cursor: string): string {
  return cursor.slice(cursor.lastIndexOf('.') + 1);
}

function suffixOf(cursor: string): string {
  return cursor.slice(cursor.indexOf('_'));
}

function timeOf(cursor: string): number {
  return Number(cursor.slice(0, cursor.indexOf('.')));
}

/** @throws the first error if no promise is fulfilled */
async function settled<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises);
  const values = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return values.length > 0 ? values : Promise.all(promises);
}
