import type { TaskRecord } from '../../store/task-record.ts';
import type { TimelineNote } from '../../store/timeline.ts';
import { upstreamJobOf } from './poll-step.ts';
import { recordResponse, timelineNote } from './timeline-note.ts';
import { capabilityOf, retryTime, commitStep, type StepContext, type StepEnd } from './step.ts';

/** Maximum number of attempts to cancel the job at the vendor. After the last attempt, the task is canceled anyway. */
const MAX_ATTEMPTS = 5;

/** Handles `canceling`: cancels the job at the vendor. If the job cannot be canceled, the task continues. */
export async function cancelStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const capability = capabilityOf(context, record);
  const observer = recordResponse();
  const outcome = (await capability?.cancel?.(upstreamJobOf(record), context.signal, observer.observe)) ?? {
    kind: 'unsupported',
  };
  const note = timelineNote('cancel', outcome, observer);
  switch (outcome.kind) {
    case 'too_late':
      return commitStep(context, record, {
        from: ['canceling'],
        to: 'finishing',
        set: { setbacks: 0, deadlineAt: context.now() + context.settings.runDeadlineMs(record.model) },
        note,
      });
    case 'unclear':
      if (record.setbacks < MAX_ATTEMPTS) {
        const at = retryTime(context, record.setbacks);
        return commitStep(context, record, { from: ['canceling'], set: { setbacks: record.setbacks + 1 }, note }, at);
      }
      return endCanceled(context, record, note);
    case 'canceled':
    case 'unsupported':
      return endCanceled(context, record, note);
  }
}

/** Ends a canceled task, no matter what happens to the vendor's job. */
export function endCanceled(context: StepContext, record: TaskRecord, note: TimelineNote): Promise<StepEnd> {
  return commitStep(context, record, {
    from: ['canceling'],
    to: 'canceled',
    set: { errorCode: 'canceled', errorMessage: 'The task was canceled.' },
    note,
  });
}
