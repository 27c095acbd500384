import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { parseTimelineEntry, type TimelineEntry } from './timeline.ts';

export async function readTimeline(redis: Redis, keys: Keyspace, id: string): Promise<TimelineEntry[]> {
  const lists = await Promise.all(
    (['shown', 'moved', 'noted'] as const).map((list) => redis.lrange(keys.timeline(id, list), 0, -1)),
  );
  // A dispatch has the same revision as the move by which the task entered the queue. It is listed after that move.
  return lists
    .flat()
    .map(parseTimelineEntry)
    .toSorted((one, other) => one.revision - other.revision);
}

/** Reads the changes that clients see, starting at an index. The list is append-only. */
export async function readShown(redis: Redis, keys: Keyspace, id: string, from: number): Promise<TimelineEntry[]> {
  return (await redis.lrange(keys.timeline(id, 'shown'), from, -1)).map(parseTimelineEntry);
}
