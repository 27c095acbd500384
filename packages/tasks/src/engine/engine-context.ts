import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';
import type { WokenTask } from '../store/move.ts';
import type { RandomBytes } from '@sluice/canonical';
import type { TaskSettings } from '../store/task-settings.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { TaskQueues } from '../worker/task-queue.ts';
import type { TaskEvents } from './task-events.ts';

/** Dependencies of the engine's operations. */
export interface EngineContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  queues: TaskQueues;
  events: TaskEvents;
  wake: (tasks: readonly WokenTask[]) => void;
  settings: TaskSettings;
  now: () => number;
  random: RandomBytes;
  /** The number of this Redis; 0 is the home. */
  shard: number;
}
