import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import { nextPollDelay } from './next-poll-delay.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import { loggedReason, recordResponse, timelineNote } from './timeline-note.ts';
import {
  capabilityOf,
  commitStep,
  failAtDeadline,
  isOverdue,
  resumeAt,
  type StepContext,
  type StepEnd,
} from './step.ts';
import { reportedSeconds } from './reported-seconds.ts';

/** An error is logged after every this many consecutive unclear responses. */
const ERROR_LOG_EVERY = 10;

export function upstreamJobOf(record: TaskRecord): UpstreamJob {
  return {
    taskId: record.id,
    model: record.upstreamModel,
    baseUrl: record.upstreamBaseUrl ?? '',
    upstreamId: record.upstreamId ?? '',
    ...(record.upstreamPath !== undefined && { path: record.upstreamPath }),
    acceptedAt: record.acceptedAt ?? record.createdAt,
  };
}

/**
 * If an operator mistyped a job id, the task must not end. A poll for a job that the vendor does not know is therefore
 * unclear until one poll has succeeded.
 */
function toleratingTypos(record: TaskRecord, outcome: PollOutcome): PollOutcome {
  const wasPolled = record.polls > record.unclearPolls;
  if (!record.adopted || wasPolled || outcome.kind !== 'failed' || outcome.code !== 'content_expired') return outcome;
  return { kind: 'unclear', message: outcome.message };
}

/** Weight of the latest job's running time in the model's typical running time. */
const USUAL_WEIGHT = 0.2;

/**
 * Returns the model's typical running time, updated with this job, in milliseconds. It uses only the time that the
 * vendor reports, so that a late poll (e.g. because no worker was running) or an adopted job does not distort it.
 */
function usualRunMs(
  { usualMs, acceptedAt, adopted, dueAt }: TaskRecord,
  now: number,
  maxLateMs: number,
): number | undefined {
  if (adopted || acceptedAt === undefined || now - (dueAt ?? now) > maxLateMs) return undefined;
  const runMs = now - acceptedAt;
  return Math.round(usualMs ? usualMs * (1 - USUAL_WEIGHT) + runMs * USUAL_WEIGHT : runMs);
}

/**
 * Handles `in_progress`: polls the vendor once. Only a valid final status ends the task. An unclear response is counted
 * and delays the next poll. The poll at the deadline is the last one. If the job has finished by then, the task
 * continues, because the job is paid for.
 */
export async function pollStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { settings, logger } = context;
  if (record.cancelRequested) {
    const note = { what: 'cancel', outcome: 'begun' } as const;
    return commitStep(context, record, { from: ['in_progress'], to: 'canceling', note });
  }
  const capability = capabilityOf(context, record);
  if (!capability) {
    if (isOverdue(context, record)) return failAtDeadline(context, record);
    return resumeAt(context.now() + settings.retryMaxMs);
  }

  if (record.adopted && record.upstreamPath === undefined && capability.jobPath) {
    const upstreamPath = capability.jobPath(record.upstreamModel, await context.store.loadRequest(record.id));
    if (upstreamPath !== undefined)
      return commitStep(context, record, { from: ['in_progress'], set: { upstreamPath } });
  }

  const observer = recordResponse();
  const reported = await capability.poll(upstreamJobOf(record), context.signal, observer.observe);
  const outcome = toleratingTypos(record, reported);
  const note = timelineNote('poll', outcome, observer);
  const now = context.now();
  const polled = { polledAt: now, polls: record.polls + 1 };
  const isUndecided = outcome.kind === 'running' || outcome.kind === 'unclear';
  if (isUndecided && isOverdue(context, record)) return failAtDeadline(context, record);
  switch (outcome.kind) {
    case 'running': {
      const at = now + delay(0, outcome.retryAfterMs);
      const progress = Math.max(1, Math.floor(outcome.progress ?? estimatedProgress(record, now)));
      const set = { ...polled, progress, unclearPolls: 0 };
      return commitStep(context, record, { from: ['in_progress'], set, note }, at);
    }
    case 'succeeded': {
      const seconds = reportedSeconds(outcome.seconds);
      return commitStep(context, record, {
        from: ['in_progress'],
        to: 'finishing',
        due: now + settings.lockMs,
        usual: usualRunMs(record, now, settings.polling.maxMs),
        set: {
          ...polled,
          ...(seconds !== undefined && { seconds, lengthTold: true }),
          size: outcome.size,
          seed: outcome.seed,
          jobOutputs: outcome.outputs && JSON.stringify(outcome.outputs),
          unclearPolls: 0,
          setbacks: 0,
          // The result is paid for, so the download again gets the full time.
          deadlineAt: now + settings.runDeadlineMs(record.model),
        },
        note,
      });
    }
    case 'failed':
      return commitStep(context, record, {
        from: ['in_progress'],
        to: 'failed',
        set: { ...polled, errorCode: outcome.code, errorMessage: outcome.message },
        note,
      });
    case 'unclear': {
      const unclearPolls = record.unclearPolls + 1;
      const details = { task: record.id, upstream: record.upstream, unclearPolls, ...loggedReason(note) };
      if (unclearPolls % ERROR_LOG_EVERY === 0) logger.error(details, 'poll responses remain unclear');
      else logger.warn(details, 'unclear poll response');
      const at = now + delay(unclearPolls, outcome.retryAfterMs);
      const set = { ...polled, unclearPolls };
      return commitStep(context, record, { from: ['in_progress'], set, count: 'unclear', note }, at);
    }
  }

  function delay(unclearPolls: number, retryAfterMs?: number): number {
    const elapsedMs = Math.max(1, now - (record.acceptedAt ?? now));
    const situation = { elapsedMs, usualMs: record.usualMs, retryAfterMs, unclearPolls };
    // Do not wait past the deadline. Otherwise the task would time out only at the next poll.
    const untilDeadline = Math.max(0, record.deadlineAt - now);
    return Math.min(untilDeadline, nextPollDelay(situation, settings.polling, context.random()));
  }
}

/** Estimates the progress of vendors that report none. It rises toward 95 during the typical running time. */
function estimatedProgress({ usualMs = 60_000, acceptedAt }: TaskRecord, now: number): number {
  return 95 * (1 - Math.exp(-(now - (acceptedAt ?? now)) / usualMs));
}
