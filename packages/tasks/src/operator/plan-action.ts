import { isFinal } from '@sluice/canonical';
import type { Move } from '../store/move.ts';
import { readTimeline } from '../store/read-timeline.ts';
import { isUnconfirmed } from '../store/submission-states.ts';
import type { TaskRecord } from '../store/task-record.ts';
import type { TimelineNote } from '../store/timeline.ts';
import type { OperatorContext } from './operator-context.ts';
import { conflict, stateError } from './operator-errors.ts';
import type { AdoptedJob } from './task-operator.ts';

/**
 * Returns the move for an action, or `done` if the action was already executed. @throws GatewayError if the task's
 * state does not allow it
 */
export type ActionPlan = (record: TaskRecord) => Move | 'done' | Promise<Move | 'done'>;

/** Assigns a vendor's job to a lost submission, or replaces a job that an operator assigned by mistake. */
export function planAdoption(
  { settings, now }: Pick<OperatorContext, 'settings' | 'now'>,
  { upstreamJobId, upstreamPath, insteadOf }: AdoptedJob,
  note: TimelineNote,
): ActionPlan {
  return (record) => {
    const { status, attempt, epoch, error, upstreamId, adopted } = record;
    if (upstreamId === upstreamJobId && (upstreamPath ?? record.upstreamPath) === record.upstreamPath) return 'done';
    const job = { upstreamId: upstreamJobId, upstreamPath: upstreamPath ?? '', adopted: true };
    const isReplaced = adopted && upstreamId === insteadOf;
    if (status === 'failed' && error?.code === 'submission_unknown' && (upstreamId === undefined || isReplaced)) {
      return { attempt, from: ['failed'], set: job, note };
    }
    const isLost = status === 'submit_unknown';
    if (!isLost && !(status === 'in_progress' && adopted)) {
      throw stateError(record, 'A job can be assigned only to a task with a lost submission.');
    }
    if (!isLost && !isReplaced) {
      throw conflict(
        `The task has the job \`${upstreamId}\`. To replace it, name it in \`instead_of\` (\`--instead-of\`).`,
      );
    }
    const at = now();
    return {
      attempt,
      // The new epoch makes writes stale if they are from a worker that polls the wrong job.
      ...(isReplaced && { epoch, claim: true }),
      from: [status],
      to: 'in_progress',
      due: at,
      set: {
        ...job,
        acceptedAt: at,
        dueAt: at,
        deadlineAt: at + settings.runDeadlineMs(record.model),
        polls: 0,
        unclearPolls: 0,
        progress: 1,
        setbacks: 0,
      },
      note,
    };
  };
}

/** @param lost number of the lost attempt */
export function planResubmission(
  { redis, keys, settings, now }: Pick<OperatorContext, 'redis' | 'keys' | 'settings' | 'now'>,
  lost: number,
  note: TimelineNote,
): ActionPlan {
  return async (record) => {
    const { id, status, attempt } = record;
    if (status === 'submit_unknown' && lost === attempt) {
      const deadlineAt = now() + settings.queueDeadlineMs;
      return {
        attempt,
        from: ['submit_unknown'],
        to: 'queued',
        enqueue: true,
        orphan: true,
        due: deadlineAt,
        set: { deadlineAt, waitUntil: deadlineAt, setbacks: 0 },
        note,
      };
    }
    const timeline = await readTimeline(redis, keys, id);
    const isDone = timeline.some(
      (entry) => entry.what === 'operator' && entry.outcome === note.outcome && entry.attempt === lost,
    );
    if (isDone) return 'done';
    if (status !== 'submit_unknown') {
      throw stateError(record, 'Only a task with a lost submission can be submitted again.');
    }
    throw conflict(`The lost attempt is ${attempt}, not ${lost}.`);
  };
}

export function planFailure(reason: string, note: TimelineNote): ActionPlan {
  return (record) => {
    const { status, error } = record;
    if (status === 'failed' && error?.message === reason) return 'done';
    if (isFinal(status)) throw stateError(record, 'Only an open task can be failed.');
    const errorCode = isUnconfirmed(status) ? 'submission_unknown' : 'provider_error';
    return {
      from: [status],
      to: 'failed',
      set: { errorCode, errorMessage: reason },
      note: { ...note, code: errorCode },
    };
  };
}
