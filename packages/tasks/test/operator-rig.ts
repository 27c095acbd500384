import type { MediaTask, TaskStatus } from '@sluice/canonical';
import { openRedis, type TaskRig, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { createKeyspace, type Keyspace } from '../src/store/keyspace.ts';
import type { OperatorResult, TaskOperator } from '../src/operator/task-operator.ts';
import { TaskStore } from '../src/store/task-store.ts';

/** A task rig with an operator that records its actions. */
export interface OperatorRig extends TaskRig {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  operator: TaskOperator;
  /** Moves a new task into a state, as workers would. A lost submission has attempt 1. */
  inState(status: TaskStatus): Promise<MediaTask>;
  stateOf(id: string): Promise<TaskStatus | undefined>;
}

export async function operatorRig(options: Parameters<typeof taskRig>[0] = {}): Promise<OperatorRig> {
  const rig = await taskRig(options);
  const redis = openRedis(rig.redisUrl);
  const keys = createKeyspace(rig.prefix);
  const store = new TaskStore(redis, keys, { now: Date.now, retentionMs: 600_000, submitUnknownMs: 60_000 });
  return {
    ...rig,
    redis,
    keys,
    store,
    operator: rig.engine.operator,
    async inState(status) {
      const { task } = await rig.engine.submit(rig.params());
      if (status === 'queued') return task;
      await store.move(task.id, { from: ['queued'], to: 'submitting', set: { attempt: 1, fingerprint: 'f' } });
      if (status === 'submitting') return task;
      const isLost = status === 'submit_unknown';
      const set = isLost ? {} : { upstreamId: `job-${task.id}`, progress: 1 };
      await store.move(task.id, { from: ['submitting'], to: isLost ? 'submit_unknown' : 'in_progress', set });
      if (isLost || status === 'in_progress') return task;
      const error = { errorCode: 'provider_error', errorMessage: 'broken' };
      await store.move(task.id, { from: ['in_progress'], to: status, set: status === 'failed' ? error : {} });
      return task;
    },
    stateOf: async (id) => (await store.loadState(id))?.status,
    async close() {
      redis.disconnect();
      await rig.close();
    },
  };
}

/** Returns an action's outcome as one word. */
export async function outcomeOf(result: Promise<OperatorResult>): Promise<string> {
  return result.then(
    ({ task, changed }) => (changed ? `→ ${task.status}` : 'unchanged'),
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}
