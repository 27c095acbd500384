import { cancelTask } from '../engine/cancel-task.ts';
import { guarded, type LostReply } from '../store/guarded.ts';
import { readTimeline } from '../store/read-timeline.ts';
import { endOptions } from '../store/task-store.ts';
import type { TimelineNote } from '../store/timeline.ts';
import { executeAction, expectTask } from './execute-action.ts';
import type { OperatorContext } from './operator-context.ts';
import { conflict, stateError } from './operator-errors.ts';
import { planAdoption, planFailure, planResubmission } from './plan-action.ts';
import { reindex } from './reindex.ts';
import { searchTasks } from './search-tasks.ts';
import type { OperatorAct, OperatorResult, TaskDetails, TaskOperator } from './task-operator.ts';

/** Every action is idempotent, so a retry does no harm. */
const MAYBE_DONE: LostReply = {
  message: 'The outcome is unknown. Retry: an action that was carried out is not repeated.',
  retryable: true,
};

const guardedAct = (work: () => Promise<OperatorResult>) => guarded(work, MAYBE_DONE);

export function buildTaskOperator(context: OperatorContext): TaskOperator {
  return {
    search: (search) => guarded(() => searchTasks(context, search)),
    show: (id) => guarded(() => show(context, id)),
    adopt: (id, job, by) =>
      guardedAct(() => executeAction(context, id, planAdoption(context, job, timelineNote('adopted', by)), job)),
    fail: (id, reason, by) =>
      guardedAct(() => executeAction(context, id, planFailure(reason, { ...timelineNote('failed', by), reason }))),
    resubmit: (id, attempt, by) =>
      guardedAct(() => executeAction(context, id, planResubmission(context, attempt, timelineNote('resubmitted', by)))),
    cancel: (id, by) => guardedAct(() => cancel(context, id, by)),
    reindex: () =>
      guarded(() => reindex(context.redis, context.keys, { now: context.now(), ...endOptions(context.settings) })),
  };
}

async function show(context: OperatorContext, id: string): Promise<TaskDetails> {
  const { redis, keys, store } = context;
  const task = await expectTask(context, id);
  const [timeline, request] = await Promise.all([readTimeline(redis, keys, id), store.loadRequest(id)]);
  return { task, timeline, request };
}

async function cancel(context: OperatorContext, id: string, act: OperatorAct): Promise<OperatorResult> {
  const record = await expectTask(context, id);
  const canceled = await cancelTask(context, record, timelineNote('canceled', act));
  const { status } = canceled;
  if (status === 'completed' || status === 'failed') throw stateError(canceled, 'It cannot be canceled.');
  if (status === 'finishing') throw conflict('The video is finished and is being copied, so it cannot be canceled.');
  return { task: canceled, changed: canceled.revision !== record.revision };
}

function timelineNote(outcome: string, { by, note }: OperatorAct): TimelineNote {
  return { what: 'operator', outcome, by, ...(note !== undefined && { note }) };
}
