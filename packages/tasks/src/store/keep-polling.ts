import { redisJson } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import type { TaskRecord } from './task-record.ts';
import { LATENESS_BOUNDS_MS } from './task-stats.ts';
import { shortenNote, type TimelineEntry, type TimelineNote } from './timeline.ts';

/** A poll after which the vendor's job is still running. Times are in Unix milliseconds. */
export interface RunningPoll {
  polledAt: number;
  progress: number;
  dueAt: number;
  note: TimelineNote;
  /** How late the poll was, in milliseconds. Present if the step did not claim the task, because a claim records it. */
  lateMs?: number | undefined;
}

/** Maximum progress of a task that has not completed. */
const MAX_PROGRESS = 99;

/** Returns a function that sends the poll, and the record that results from it. */
export function runningPoll(redis: Redis, keys: Keyspace, operation: string, record: TaskRecord, poll: RunningPoll) {
  const { polledAt, dueAt, note, lateMs } = poll;
  const after: TaskRecord = {
    ...record,
    revision: record.revision + 1,
    progress: Math.max(record.progress, Math.min(poll.progress, MAX_PROGRESS)),
    polledAt,
    polls: record.polls + 1,
    unclearPolls: 0,
    dueAt,
  };
  const { revision, progress, polls } = after;
  const entry: TimelineEntry = {
    at: polledAt,
    revision,
    status: 'in_progress',
    progress,
    attempt: record.attempt,
    upstream: record.upstream,
    route: record.route,
    ...shortenNote(note),
  };
  const set = { revision, progress, polledAt, polls, unclearPolls: 0, dueAt };
  const json = redisJson({
    epoch: String(record.epoch),
    revision: String(record.revision),
    set: Object.entries(set).flatMap(([field, value]) => [field, String(value)]),
    due: dueAt,
    entry,
    hasProgressed: progress !== record.progress,
    unclaimed: lateMs === undefined ? undefined : [record.upstream, lateBound(lateMs), String(Math.round(lateMs))],
  });
  const send = async (now: number): Promise<boolean> =>
    (await redis.sluiceKeepPolling(keys.task(record.id), keys.prefix, now, record.id, operation, json)) === 1;
  return { after, send };
}

function lateBound(lateMs: number): number | 'inf' {
  return LATENESS_BOUNDS_MS.find((bound) => lateMs <= bound) ?? 'inf';
}
