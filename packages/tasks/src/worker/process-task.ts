import { isFinal, OPEN_STATUSES } from '@sluice/canonical';
import { cancelStep, endCanceled } from './steps/cancel-step.ts';
import { finishStep } from './steps/finish-step.ts';
import { pollStep } from './steps/poll-step.ts';
import { resolveStep } from './steps/resolve-step.ts';
import { DONE, commitStep, failAtDeadline, isOverdue, type StepContext, type StepEnd } from './steps/step.ts';
import { submitStep } from './steps/submit-step.ts';
import type { TaskRecord } from '../store/task-record.ts';

/**
 * Runs steps of a task until the task must wait or has ended.
 *
 * 1. The worker claims the task. The claim increments the epoch, so that the previous worker can no longer write. It
 * also moves the due time behind the end of the lock, so that the sweeper ignores the task.
 * 2. The record's status determines each step. Each step ends with one checked write.
 * 3. If the next step has to wait, its time is first written to the record. Only then does the caller delay the job.
 *
 * If the task is missing, final, or at another account, nothing happens.
 * @returns time of the next step in Unix milliseconds; `parked` if the task waits for a slot without a job; undefined
 * if this wake-up needs no further work
 */
export async function processTask(
  context: StepContext,
  account: string,
  id: string,
): Promise<number | 'parked' | undefined> {
  const due = context.now() + 2 * context.settings.lockMs;
  const claimed = await context.store.move(id, { from: OPEN_STATUSES, account, claim: true, due });
  if (claimed.result !== 'moved') return undefined;

  let end: StepEnd = { next: 'again', record: claimed.record };
  while (end.next === 'again') {
    if (isFinal(end.record.status)) return undefined;
    if (end.record.upstream !== account) {
      return undefined; // The move to the other account has already enqueued the task there.
    }
    end = await nextStep(context, end.record);
  }
  if (end.next === 'parked') return 'parked';
  return end.next === 'at' ? end.at : undefined;
}

function nextStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  if (isOverdue(context, record)) return stepAtDeadline(context, record);
  switch (record.status) {
    case 'queued':
      return submitStep(context, record);
    case 'submitting':
    case 'submit_unknown':
      return resolveStep(context, record);
    case 'in_progress':
      return pollStep(context, record);
    case 'finishing':
      return finishStep(context, record);
    case 'canceling':
      return cancelStep(context, record);
    case 'completed':
    case 'failed':
    case 'canceled':
      return Promise.resolve(DONE);
  }
}

function stepAtDeadline(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const note = { what: 'end', outcome: 'deadline' } as const;
  switch (record.status) {
    case 'queued':
      return failAtDeadline(context, record);
    case 'submitting':
      // An interrupted submission first becomes `submit_unknown`, which has its own deadline.
      return resolveStep(context, record);
    case 'submit_unknown':
      return commitStep(context, record, {
        from: ['submit_unknown'],
        to: 'failed',
        set: {
          errorCode: 'submission_unknown',
          errorMessage:
            "It is unknown whether the upstream accepted the task, so it was not submitted again. Ask the gateway's operator before you create it again.",
        },
        note,
      });
    // The vendor may have finished the job in the meantime. If not, these steps fail the task.
    case 'in_progress':
      return pollStep(context, record);
    case 'finishing':
      return finishStep(context, record);
    case 'canceling':
      return endCanceled(context, record, note);
    case 'completed':
    case 'failed':
    case 'canceled':
      return Promise.resolve(DONE);
  }
}
