import { GatewayError, isFinal } from '@sluice/canonical';
import { isTaskId } from '../store/task-id.ts';
import { type TaskRecord, vendorAccountOf } from '../store/task-record.ts';
import type { OperatorContext } from './operator-context.ts';
import { conflict } from './operator-errors.ts';
import type { ActionPlan } from './plan-action.ts';
import type { AdoptedJob, OperatorResult } from './task-operator.ts';

/** A move is refused if a worker has moved the task in the meantime, which can happen only a few times. */
const MAX_ATTEMPTS = 8;

/** @throws GatewayError `not_found` */
export async function expectTask({ store }: Pick<OperatorContext, 'store'>, id: string): Promise<TaskRecord> {
  const record = isTaskId(id) ? await store.loadState(id) : undefined;
  if (record) return record;
  throw new GatewayError(
    'not_found',
    `Task \`${id.slice(0, 80)}\` does not exist. List the tasks to see the existing ones.`,
  );
}

/** Plans and executes an action. If a worker has changed the task's state in the meantime, plans again. */
export async function executeAction(
  context: OperatorContext,
  id: string,
  plan: ActionPlan,
  job?: AdoptedJob,
): Promise<OperatorResult> {
  const { store, queues } = context;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const record = await expectTask(context, id);
    const move = await plan(record);
    if (move === 'done') return { task: record, changed: false };
    const moved = await store.move(id, move);
    if (moved.result === 'taken') throw await takenError(context, record, job);
    if (moved.result !== 'moved') continue;
    context.wake(moved.dispatched.filter((woken) => woken.id !== id));
    if (!isFinal(moved.record.status)) await queues.revive(moved.record.upstream, id);
    return { task: moved.record, changed: true };
  }
  throw conflict('The task keeps changing. Read its state and retry.');
}

async function takenError(
  { redis, keys }: OperatorContext,
  record: TaskRecord,
  job: AdoptedJob | undefined,
): Promise<GatewayError> {
  const holder = await redis.get(keys.claimed(vendorAccountOf(record), job?.upstreamJobId ?? ''));
  return conflict(holder === null ? 'The job belongs to another task.' : `The job belongs to the task \`${holder}\`.`);
}
