import { isFinal, type MediaTask } from '@sluice/canonical';
import type { ShardEngine } from './create-shard-engine.ts';
import type { TaskOperator, TaskSearch, TaskSearchPage } from '../operator/task-operator.ts';
import { mergePages } from './merge-pages.ts';
import { onShard, shardOf } from './shard-of.ts';

type Operated = Pick<ShardEngine, 'operator'>;

/** An operator's actions over several Redis servers. */
export function shardedOperator(shards: readonly [Operated, ...Operated[]]): TaskOperator {
  const of = (id: string): TaskOperator => (shards[shardOf(id)] ?? shards[0]).operator;
  return {
    search: (search) => searchShards(shards, search),
    show: (id) => of(id).show(id),
    adopt: (id, job, act) => of(id).adopt(id, job, act),
    fail: (id, reason, act) => of(id).fail(id, reason, act),
    resubmit: (id, attempt, act) => of(id).resubmit(id, attempt, act),
    cancel: (id, act) => of(id).cancel(id, act),
    async reindex() {
      const counts = await Promise.all(shards.map(({ operator }) => operator.reindex()));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** A cursor is `<group>.<time>.<id>`. Lost submissions are a group of their own, before other open tasks. */
async function searchShards(shards: readonly Operated[], search: TaskSearch): Promise<TaskSearchPage> {
  const { after, status, limit } = search;
  const pages = await Promise.all(
    shards.map(({ operator }, shard) =>
      operator.search({ ...search, after: after === undefined ? undefined : cursorOn(after, shard) }),
    ),
  );
  const direction = status !== undefined && isFinal(status) ? -1 : 1;
  const groupOf = (task: MediaTask): number => Number(status === undefined && task.status !== 'submit_unknown');
  const { items, next } = mergePages(
    pages.map((page) => ({ items: page.tasks, next: page.next })),
    {
      positionOf: (task) => `${groupOf(task)}.${task.createdAt}.${task.id}`,
      compare: (one, other) => compareCursors(one, other, direction),
      limit,
    },
  );
  return { tasks: items, ...(next !== undefined && { next }) };
}

function compareCursors(one: string, other: string, direction: number): number {
  const [group = '', at = '', id = ''] = one.split('.');
  const [otherGroup = '', otherAt = '', otherId = ''] = other.split('.');
  const byId = compareText(onShard(id, 0), onShard(otherId, 0));
  return Number(group) - Number(otherGroup) || direction * (Number(at) - Number(otherAt) || byId);
}

export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Replaces the id of a cursor, which is its last part. */
export function cursorOn(cursor: string, shard: number): string {
  const dot = cursor.lastIndexOf('.') + 1;
  return cursor.slice(0, dot) + onShard(cursor.slice(dot), shard);
}
