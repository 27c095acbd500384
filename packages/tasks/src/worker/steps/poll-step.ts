import type { PollOutcome, UpstreamJob } from '@sluice/canonical';
import { nextPollDelay } from './next-poll-delay.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { TimelineNote } from '../../store/timeline.ts';
import type { StepJob } from './step-job.ts';
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

/** The outcome of a poll, before it is recorded. */
export interface Polled {
  outcome: PollOutcome;
  note: TimelineNote;
}

/** Polls the vendor once. Returns undefined if this worker does not have the task's upstream. */
async function pollVendor(context: StepContext, record: TaskRecord): Promise<Polled | undefined> {
  const capability = capabilityOf(context, record);
  if (!capability) return undefined;
  const observer = recordResponse();
  const reported = await capability.poll(upstreamJobOf(record), context.signal, observer.observe);
  const outcome = toleratingTypos(record, reported);
  return { outcome, note: timelineNote('poll', outcome, observer) };
}

/**
 * Handles `in_progress`: polls the vendor once. Only a valid final status ends the task. An unclear response is counted
 * and delays the next poll. The poll at the deadline is the last one. If the job has finished by then, the task
 * continues, because the job is paid for.
 */
export async function pollStep(context: StepContext, record: TaskRecord, job: StepJob): Promise<StepEnd> {
  if (record.cancelRequested) {
    const note = { what: 'cancel', outcome: 'begun' } as const;
    return commitStep(context, record, { from: ['in_progress'], to: 'canceling', note });
  }
  const capability = capabilityOf(context, record);
  if (record.adopted && record.upstreamPath === undefined && capability?.jobPath) {
    const upstreamPath = capability.jobPath(record.upstreamModel, await context.store.loadRequest(record.id));
    if (upstreamPath !== undefined)
      return commitStep(context, record, { from: ['in_progress'], set: { upstreamPath } });
  }
  const polled = await pollVendor(context, record);
  if (polled) return recordPoll(context, record, job, polled);
  if (isOverdue(context, record)) return failAtDeadline(context, record);
  return resumeAt(context.now() + context.settings.retryMaxMs);
}

/**
 * Polls without a claim, from the record that this worker wrote after the previous poll. If the vendor's job is still
 * running and the record has not changed since, one script records the poll. In all other cases, the caller claims the
 * task. It must not poll again if `polled` is present and the record has not changed.
 */
export async function pollUnclaimed(
  context: StepContext,
  record: TaskRecord,
  job: StepJob,
): Promise<{ end: StepEnd } | { end?: undefined; polled: Polled | undefined }> {
  const lateMs = context.now() - (record.dueAt ?? 0);
  const polled = await pollVendor(context, record);
  if (polled?.outcome.kind !== 'running' || isOverdue(context, record)) return { polled };
  return { end: await keepPolling(context, record, job, { ...polled, outcome: polled.outcome, lateMs }) };
}

type RunningPolled = Polled & { outcome: Extract<PollOutcome, { kind: 'running' }>; lateMs?: number };

/**
 * Records the poll and delays the job. Redis executes both commands in this order, because they are sent on one
 * connection. If the record has changed in the meantime, the job runs again now.
 */
async function keepPolling(
  context: StepContext,
  record: TaskRecord,
  job: StepJob,
  { outcome, note, lateMs }: RunningPolled,
): Promise<StepEnd> {
  const now = context.now();
  const dueAt = now + pollDelay(context, record, now, 0, outcome.retryAfterMs);
  const progress = Math.max(1, Math.floor(outcome.progress ?? estimatedProgress(record, now)));
  const poll = { polledAt: now, progress, dueAt, note, lateMs };
  const [kept, delayed] = await Promise.allSettled([context.store.keepPolling(record, poll), job.delay(dueAt)]);
  const at = { task: record.id, upstream: record.upstream };
  if (kept.status === 'rejected') {
    context.logger.error({ ...at, err: kept.reason }, 'poll not recorded; retrying');
  } else if (kept.value) {
    context.polled.remember(kept.value, job);
  } else if (delayed.status === 'rejected') {
    context.logger.warn({ ...at, epoch: record.epoch }, 'step of a stale worker fenced');
    return { next: 'delayed' };
  } else {
    await job.promote();
  }
  if (delayed.status === 'rejected') throw delayed.reason;
  return { next: 'delayed' };
}

/** Records the outcome of a poll of a claimed task. */
export async function recordPoll(
  context: StepContext,
  record: TaskRecord,
  job: StepJob,
  { outcome, note }: Polled,
): Promise<StepEnd> {
  const { settings, logger } = context;
  const now = context.now();
  const polled = { polledAt: now, polls: record.polls + 1 };
  const isUndecided = outcome.kind === 'running' || outcome.kind === 'unclear';
  if (isUndecided && isOverdue(context, record)) return failAtDeadline(context, record);
  switch (outcome.kind) {
    case 'running':
      return keepPolling(context, record, job, { outcome, note });
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
      const at = now + pollDelay(context, record, now, unclearPolls, outcome.retryAfterMs);
      const set = { ...polled, unclearPolls };
      return commitStep(context, record, { from: ['in_progress'], set, count: 'unclear', note }, at);
    }
  }
}

function pollDelay(
  context: StepContext,
  { acceptedAt, deadlineAt, usualMs }: TaskRecord,
  now: number,
  unclearPolls: number,
  retryAfterMs: number | undefined,
): number {
  const elapsedMs = Math.max(1, now - (acceptedAt ?? now));
  const delay = nextPollDelay(
    { elapsedMs, usualMs, retryAfterMs, unclearPolls },
    context.settings.polling,
    context.random(),
  );
  // Do not wait past the deadline. Otherwise the task would time out only at the next poll.
  return Math.min(Math.max(0, deadlineAt - now), delay);
}

/** Estimates the progress of vendors that report none. It rises toward 95 during the typical running time. */
function estimatedProgress({ usualMs = 60_000, acceptedAt }: TaskRecord, now: number): number {
  return 95 * (1 - Math.exp(-(now - (acceptedAt ?? now)) / usualMs));
}
