import { ID_DIGITS } from '@sluice/canonical';

/** Returns the number of the shard with a task's record. Ids from before there were shards are of the home. */
export function shardOf(id: string): number {
  return Math.max(0, ID_DIGITS.indexOf(id.charAt(id.indexOf('_') + 1)));
}

/** Returns the id as it would be on another shard. With the same shard, ids of all shards sort by creation time. */
export function onShard(id: string, shard: number): string {
  const digit = id.indexOf('_') + 1;
  return id.slice(0, digit) + ID_DIGITS.charAt(shard) + id.slice(digit + 1);
}
