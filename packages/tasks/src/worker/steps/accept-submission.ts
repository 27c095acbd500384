import type { MediaCapability } from '@sluice/canonical';
import { nextPollDelay } from './next-poll-delay.ts';
import { ACCEPTING, UNCONFIRMED } from '../../store/submission-states.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { Move } from '../../store/move.ts';
import type { TimelineNote } from '../../store/timeline.ts';
import { upstreamJobOf } from './poll-step.ts';
import { resumeAt, DONE, commitStep, type StepContext, type StepEnd } from './step.ts';
import { reportedSeconds } from './reported-seconds.ts';

interface AcceptedJob {
  upstreamId: string;
  path?: string;
  seconds?: string;
  size?: string;
  retryAfterMs?: number;
  /** Whether reconciliation adopted the job. An adopted job may belong to another client, so it is never canceled. */
  isAdopted?: true;
}

/** Marks the submission as unknown. The task is reconciled until its deadline. */
export function unknownSubmission(context: StepContext): Move {
  const now = context.now();
  const set = { deadlineAt: now + context.settings.submitUnknownMs, unknownAt: now, setbacks: 0 };
  return { from: ['submitting'], to: 'submit_unknown', count: 'unknowns', set };
}

/**
 * Records an accepted submission. The move checks the attempt instead of the epoch, because a result is valid even if
 * another worker has taken over.
 */
export async function acceptSubmission(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  job: AcceptedJob,
  note: TimelineNote,
): Promise<StepEnd> {
  const { store, settings, logger } = context;
  const now = context.now();
  const usualMs = await store.usualMs(record);
  const seconds = reportedSeconds(job.seconds);
  const at =
    now +
    nextPollDelay(
      { elapsedMs: 0, usualMs, retryAfterMs: job.retryAfterMs, unclearPolls: 0 },
      settings.polling,
      context.random(),
    );
  const accepted = await store.move(record.id, {
    attempt: record.attempt,
    // If the attempt's own result has arrived in the meantime, the adopted job may belong to another task.
    from: job.isAdopted ? UNCONFIRMED : ACCEPTING,
    to: 'in_progress',
    due: at,
    set: {
      upstreamId: job.upstreamId,
      upstreamPath: job.path,
      seconds,
      lengthTold: seconds !== undefined,
      size: job.size,
      acceptedAt: now,
      dueAt: at,
      deadlineAt: now + settings.runDeadlineMs(record.model),
      usualMs,
      progress: 1,
      setbacks: 0,
    },
    note,
  });
  if (accepted.result === 'missing') return DONE;
  context.wake(accepted.dispatched);
  if (accepted.result === 'moved') {
    if (accepted.record.cancelRequested && accepted.record.epoch === record.epoch)
      return { next: 'again', record: accepted.record };
    return resumeAt(at);
  }
  if (accepted.result === 'taken') {
    logger.error({ task: record.id, upstream: record.upstream }, 'upstream returned one job id for two tasks');
    const move = { ...unknownSubmission(context), note: { ...note, outcome: 'taken' } };
    return commitStep(context, record, move, now + settings.retryMinMs);
  }
  if (accepted.record.upstreamId === job.upstreamId) return resumeAt(now + settings.retryMinMs);
  logger.warn({ task: record.id, status: accepted.record.status }, 'submission accepted after the task changed');
  if (job.isAdopted) return DONE;
  // The task has ended without this job, so cancel the job if possible.
  await capability.cancel?.(
    { ...upstreamJobOf(accepted.record), baseUrl: capability.baseUrl, model: record.upstreamModel, ...job },
    context.signal,
  );
  return DONE;
}
