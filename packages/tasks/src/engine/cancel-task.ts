import { TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { UNDECIDED } from '../store/submission-states.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { Move } from '../store/move.ts';
import type { EngineContext } from './engine-context.ts';
import type { TimelineNote } from '../store/timeline.ts';

/** Every state: for marks that do not depend on the task's life. */
export const ALL_STATUSES: readonly TaskStatus[] = TASK_STATUSES;

/**
 * Cancels as far as it can be done now.
 *
 * Before submission it is certain: `queued → canceled`. While a submission is open nobody knows whether there is
 * anything to cancel, so the wish is noted and carried out once the vendor's job is known. A running task goes to
 * `canceling` and a worker asks the vendor. While the result is being fetched, and after the end, it is too late.
 *
 * @param note who asked for it
 * @param marks fields that are written in the same step
 * @returns the record as it then is
 */
export async function cancelTask(
  { store, queues, wake }: Pick<EngineContext, 'store' | 'queues' | 'wake'>,
  task: TaskRecord,
  note: TimelineNote = { what: 'cancel', outcome: 'requested' },
  marks: Move['set'] = {},
): Promise<TaskRecord> {
  let current = task;
  // Each refusal means that a worker moved the task on in between, which it can do only so often.
  for (let tries = 0; tries < 8; tries++) {
    const move = cancellation(current.status);
    if (!move || (current.cancelRequested && !move.to)) return current;
    const moved = await store.move(current.id, { ...move, set: { ...move.set, ...marks }, note });
    if (moved.result === 'missing') return current;
    current = moved.record;
    if (moved.result === 'moved') {
      wake(moved.dispatched);
      if (current.status === 'canceling') await queues.promote(current.upstream, current.id);
      return current;
    }
  }
  return current;
}

function cancellation(status: TaskStatus): Move | undefined {
  switch (status) {
    case 'queued':
      return {
        from: ['queued'],
        to: 'canceled',
        set: { errorCode: 'canceled', errorMessage: 'Canceled before it was submitted.' },
      };
    case 'submitting':
    case 'submit_unknown':
      return { from: UNDECIDED, set: { cancelRequested: true } };
    case 'in_progress':
      return { from: ['in_progress'], to: 'canceling', set: { cancelRequested: true } };
    case 'finishing':
    case 'canceling':
    case 'completed':
    case 'failed':
    case 'canceled':
      return undefined;
  }
}
