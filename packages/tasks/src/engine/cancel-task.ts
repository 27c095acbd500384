import { TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { UNCONFIRMED } from '../store/submission-states.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { Move } from '../store/move.ts';
import type { EngineContext } from './engine-context.ts';
import type { TimelineNote } from '../store/timeline.ts';

export const ALL_STATUSES: readonly TaskStatus[] = TASK_STATUSES;

/**
 * Cancels a task if possible.
 *
 * Before submission, cancellation always succeeds: `queued → canceled`. During a submission, the vendor may already
 * have a job, so the cancellation is recorded and is carried out when the job is known. A running task moves to
 * `canceling`, and a worker cancels the vendor's job. A task that is copying its output or has ended cannot be
 * canceled.
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
  // A move is refused if a worker has moved the task in the meantime, which can happen only a few times.
  for (let attempt = 0; attempt < 8; attempt++) {
    const move = cancellation(current.status);
    if (!move || (current.cancelRequested && !move.to)) return current;
    const moved = await store.move(current.id, { ...move, set: { ...move.set, ...marks }, note }, { replicated: true });
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
        set: { errorCode: 'canceled', errorMessage: 'The task was canceled before it was submitted.' },
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
