import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import type { WokenTask } from '../store/move.ts';
import type { TaskSettings } from '../store/task-settings.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { TaskQueues } from '../worker/task-queue.ts';

/** Dependencies of the operator actions. */
export interface OperatorContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  queues: TaskQueues;
  wake: (tasks: readonly WokenTask[]) => void;
  settings: Pick<
    TaskSettings,
    'queueDeadlineMs' | 'runDeadlineMs' | 'retentionMs' | 'maxLedgerEntries' | 'announcesAll'
  >;
  now: () => number;
}
