import { isFinal, type MediaRequest, OPEN_STATUSES } from '@sluice/canonical';
import { traceFields } from '@sluice/telemetry';
import { DamagedTaskError } from '../store/damaged-task-error.ts';
import { cancelStep, endCanceled } from './steps/cancel-step.ts';
import { finishStep } from './steps/finish-step.ts';
import { pollStep, pollUnclaimed, recordPoll } from './steps/poll-step.ts';
import { resolveStep } from './steps/resolve-step.ts';
import { DONE, commitStep, failAtDeadline, isOverdue, type StepContext, type StepEnd } from './steps/step.ts';
import { submitStep } from './steps/submit-step.ts';
import type { StepJob } from './steps/step-job.ts';
import type { TaskRecord } from '../store/task-record.ts';

/** The result of {@link processTask}. */
export type ProcessResult = number | 'parked' | 'delayed' | undefined;

/**
 * Runs steps of a task until the task must wait or has ended.
 *
 * 1. The worker claims the task. The claim increments the epoch, so that the previous worker can no longer write. It
 * also moves the due time behind the end of the lock, so that the sweeper ignores the task.
 * 2. The record's status determines each step. Each step ends with one checked write.
 * 3. If the next step has to wait, its time is first written to the record. Only then is the job delayed.
 *
 * Two steps save round trips to Redis: the first submission claims the task when it records its start, and a repeated
 * poll needs no claim if the job is still running; see {@link pollUnclaimed}.
 *
 * If the task is missing, final, or at another account, nothing happens.
 * @returns time of the next step in Unix milliseconds; `parked` if the task waits for a slot without a job; `delayed`
 * if the job is already delayed; undefined if this wake-up needs no further work
 */
export async function processTask(
  context: StepContext,
  account: string,
  id: string,
  job: StepJob,
): Promise<ProcessResult> {
  const startedAt = context.now();
  const known = knownPoll(context, account, id, job);
  const polling = known ? traced(context, known) : context;
  const unclaimed = known && (await pollUnclaimed(polling, known, job));
  if (unclaimed?.end) return resultOf(unclaimed.end);

  const first = job.starts === 1 ? await submittable(context, account, id) : undefined;
  let end: StepEnd;
  if (first) {
    end = await submitStep(traced(context, first.record), first.record, first.request);
  } else {
    const due = context.now() + 2 * context.settings.lockMs;
    const claimed = await context.store.move(id, { from: OPEN_STATUSES, account, claim: true, due, startedAt });
    if (claimed.result !== 'moved') return undefined;
    // The claim is the only change since the record was written, so the poll's outcome still applies.
    const isCurrent = known && claimed.record.revision === known.revision + 1;
    end =
      isCurrent && unclaimed?.polled
        ? await recordPoll(polling, claimed.record, job, unclaimed.polled)
        : { next: 'again', record: claimed.record };
  }
  while (end.next === 'again') {
    if (isFinal(end.record.status)) return undefined;
    if (end.record.upstream !== account) {
      return undefined; // The move to the other account has already enqueued the task there.
    }
    end = await nextStep(traced(context, end.record), end.record, job);
  }
  return resultOf(end);
}

/** Starts the span of a step. The log lines of the step contain its ids. */
function traced(context: StepContext, record: TaskRecord): StepContext {
  const { traces, logger } = context;
  if (!traces) return context;
  traces.end(record.id);
  const fields = traceFields(traces.begin(record));
  return fields.trace_id === undefined ? context : { ...context, logger: logger.child(fields) };
}

function resultOf(end: StepEnd): ProcessResult {
  switch (end.next) {
    case 'parked':
    case 'delayed':
      return end.next;
    case 'at':
      return end.at;
    case 'again':
    case 'done':
      return undefined;
  }
}

/** Returns the record of a task that this worker has polled before, and that can be polled without a claim. */
function knownPoll(context: StepContext, account: string, id: string, job: StepJob): TaskRecord | undefined {
  const record = context.polled.take(id, job);
  if (!record || record.upstream !== account || isOverdue(context, record)) return undefined;
  // A job that runs early was promoted, e.g. because the client has canceled the task.
  return context.now() < (record.dueAt ?? 0) ? undefined : record;
}

/**
 * Reads a new task. Returns it if it can be submitted immediately. Submissions with input images are claimed first,
 * because opening the images takes time.
 */
async function submittable(
  context: StepContext,
  account: string,
  id: string,
): Promise<{ record: TaskRecord; request: MediaRequest } | undefined> {
  const reads = [context.store.loadState(id), context.store.loadRequest(id)] as const;
  // The claim reports a damaged record, and raises its epoch.
  const [record, request] = await Promise.all(reads).catch(unlessDamaged);
  if (record?.status !== 'queued' || !record.dispatched || record.inputsPending || request?.images.length !== 0) {
    return undefined;
  }
  return record.upstream === account && !isOverdue(context, record) ? { record, request } : undefined;
}

function unlessDamaged(error: unknown): [] {
  if (error instanceof DamagedTaskError) return [];
  throw error;
}

function nextStep(context: StepContext, record: TaskRecord, job: StepJob): Promise<StepEnd> {
  if (isOverdue(context, record)) return stepAtDeadline(context, record, job);
  switch (record.status) {
    case 'queued':
      return submitStep(context, record);
    case 'submitting':
    case 'submit_unknown':
      return resolveStep(context, record);
    case 'in_progress':
      return pollStep(context, record, job);
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

function stepAtDeadline(context: StepContext, record: TaskRecord, job: StepJob): Promise<StepEnd> {
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
      return pollStep(context, record, job);
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
