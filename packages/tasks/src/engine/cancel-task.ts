import { TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { UNCONFIRMED } from '../store/submission-states.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { Move } from '../store/move.ts';
import type { EngineContext } from './engine-context.ts';
import type { TimelineNote } from '../store/timeline.ts';

export const ALL_STATUSES: readonly TaskStatus[] = TASK_STATUSES;

/**
 * Cancels a task as far as possible.
 *
 * Before submission the cancellation is certain: `queued → canceled`. While a submission is open, a job may exist, so
 * the cancellation is recorded and carried out once the job is known. A running task goes to `canceling`, and a worker
 * cancels the job at the vendor. While the output is copied, and after the end, it is too late.
 *
 * @param marks fields that are written in the same step
 * @returns the current record
 */
export async function cancelTask(
  { store, queues, wake }: Pick<EngineContext, 'store' | 'queues' | 'wake'>,
  task: TaskRecord,
  note: TimelineNote = { what: 'cancel', outcome: 'requested' },
  marks: Move['set'] = {},
): Promise<TaskRecord> {
  let current = task;
  // A refused move means that a worker has moved the task in between. Few of these can follow each other.
  for (let attempt = 0; attempt < 8; attempt++) {
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
      return { from: UNCONFIRMED, set: { cancelRequested: true } };
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
