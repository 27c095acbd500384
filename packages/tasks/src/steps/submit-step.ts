import { createHash, randomUUID } from 'node:crypto';
import type { SubmitOutcome, TaskErrorCode, VideoCapability, VideoRequest, VideoSubmission } from '@sluice/canonical';
import { nextPollDelay } from '../next-poll-delay.ts';
import type { TaskRecord } from '../task-record.ts';
import type { Move } from '../task-store.ts';
import { fetchInputs, openInputs } from './inputs.ts';
import { comeBack, DONE, retryTime, settle, type StepContext, type StepEnd } from './step.ts';

/** The states in which a submission's answer is waited for. */
const UNDECIDED = ['submitting', 'submit_unknown'] as const;
/** Definite refusals at one route before the next one is tried. */
const SETBACKS_PER_ROUTE = 2;

/**
 * `queued`: fetches pictures, waits for a place at the account, writes down the intent, submits once, and records what came of it.
 *
 * The intent (`submitting`, with the attempt's number) is in Redis before the first byte leaves: whoever finds it there
 * after a crash knows that the vendor may have been asked, and never asks again by itself.
 */
export async function submitStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { store, settings } = context;
  const capability = context.accounts.get(record.upstream);
  if (!capability) return comeBack(context.now() + settings.retryMaxMs);

  if (record.inputsPending) return fetchInputs(context, record);
  if (!record.dispatched) return waitForPlace(context, record);

  const request = await store.loadRequest(record.id);
  const images = await openInputs(context, request);
  if (!images) {
    return settle(context, record, {
      from: ['queued'],
      to: 'failed',
      set: { errorCode: 'invalid_request', errorMessage: 'The uploaded picture is no longer stored.' },
    });
  }

  const submittedAt = context.now();
  const attempt = record.attempt + 1;
  const submitToken = randomUUID();
  const intent = await store.move(record.id, {
    epoch: record.epoch,
    from: ['queued'],
    to: 'submitting',
    count: 'submissions',
    due: submittedAt + settings.lockMs,
    set: {
      attempt,
      submitToken,
      submittedAt,
      upstreamBaseUrl: capability.baseUrl,
      fingerprint: fingerprintOf(record.upstreamModel, request),
    },
  });
  if (intent.result === 'missing') return DONE;
  if (intent.result !== 'moved') {
    // Written, but its answer came so late that another has claimed the task. Nothing was sent, as we alone can know.
    if (intent.record.submitToken !== submitToken) return settle(context, record, { from: ['queued'] });
    return settle(context, record, { from: UNDECIDED, to: 'queued' }, submittedAt, { attempt });
  }

  const submission: VideoSubmission = {
    taskId: record.id,
    model: record.upstreamModel,
    request,
    images,
    submittedAt,
  };
  const outcome = await capability.submit(submission, context.signal);
  return recordOutcome(context, intent.record, capability, outcome);
}

/** Enters the account's waiting room; a task that stays in it needs no job, because being let out makes one. */
async function waitForPlace(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const entered = await context.store.move(record.id, {
    epoch: record.epoch,
    from: ['queued'],
    enter: true,
    due: record.deadlineAt,
  });
  if (entered.result === 'missing') return DONE;
  context.wake(entered.dispatched.filter(({ id }) => id !== record.id));
  if (entered.result !== 'moved') return settle(context, record, { from: ['queued'] });
  return entered.record.dispatched ? { next: 'again', record: entered.record } : { next: 'parked' };
}

/**
 * What a look-up can tell jobs apart by at most: coarser than what the vendor is compared with, so that a job that
 * could be another task's is never taken for this one's.
 */
export function fingerprintOf(model: string, { prompt }: VideoRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, prompt?.trim()]))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * Records what a submission came to. Guarded by the attempt, not by the epoch: a vendor's word counts even when it
 * comes so late that another worker has taken the task over.
 */
async function recordOutcome(
  context: StepContext,
  record: TaskRecord,
  capability: VideoCapability,
  outcome: SubmitOutcome,
): Promise<StepEnd> {
  const { settings, logger } = context;
  const { attempt } = record;
  switch (outcome.kind) {
    case 'accepted':
      return acceptSubmission(context, record, capability, outcome);
    case 'rejected':
      return settle(context, record, failure(outcome), undefined, { attempt });
    case 'busy': {
      const setbacks = record.setbacks + 1;
      const { retryMinMs: minMs, retryMaxMs: maxMs } = settings;
      const rest = { askedMs: Math.min(outcome.retryAfterMs ?? 0, maxMs), minMs, maxMs };
      const next = setbacks >= SETBACKS_PER_ROUTE ? nextRoute(context, record) : undefined;
      if (next) return settle(context, record, { ...next, rest }, undefined, { attempt });
      const at = retryTime(context, setbacks, outcome.retryAfterMs);
      return settle(context, record, { from: UNDECIDED, to: 'queued', set: { setbacks }, rest }, at, { attempt });
    }
    case 'account': {
      logger.error({ upstream: record.upstream, code: outcome.code }, 'the upstream refuses our credential');
      return settle(context, record, nextRoute(context, record) ?? failure(outcome), undefined, { attempt });
    }
    case 'unknown':
      logger.warn({ task: record.id, upstream: record.upstream, reason: outcome.message }, 'submission unknown');
      return settle(context, record, unknown(context), context.now() + settings.retryMinMs);
  }
}

function failure({ code, message }: { code: TaskErrorCode; message: string }): Move {
  return { from: UNDECIDED, to: 'failed', set: { errorCode: code, errorMessage: message } };
}

function unknown(context: StepContext): Move {
  const set = { deadlineAt: context.now() + context.settings.submitUnknownMs, setbacks: 0 };
  return { from: ['submitting'], to: 'submit_unknown', count: 'unknowns', set };
}

/** The move to the model's next route, if there is one. */
function nextRoute(context: StepContext, record: TaskRecord): Move | undefined {
  const route = record.route + 1;
  const target = context.targetsFor(record.model)[route];
  if (!target) return undefined;
  return {
    from: UNDECIDED,
    to: 'queued',
    enter: true,
    set: { route, upstream: target.upstream, upstreamModel: target.model, setbacks: 0 },
    due: record.deadlineAt,
  };
}

/**
 * Records the vendor's id. Guarded by the attempt, not by the epoch: an answer is worth keeping even when it comes so
 * late that another worker has taken the task over.
 */
export async function acceptSubmission(
  context: StepContext,
  record: TaskRecord,
  capability: VideoCapability,
  job: { upstreamId: string; seconds?: string; size?: string; retryAfterMs?: number },
): Promise<StepEnd> {
  const { store, settings, logger } = context;
  const now = context.now();
  const usualMs = await store.usualMs(record.model);
  const at =
    now +
    nextPollDelay(
      { elapsedMs: 0, usualMs, retryAfterMs: job.retryAfterMs, unclearPolls: 0 },
      settings.polling,
      context.random(),
    );
  const accepted = await store.move(record.id, {
    attempt: record.attempt,
    from: UNDECIDED,
    to: 'in_progress',
    due: at,
    set: {
      upstreamId: job.upstreamId,
      seconds: job.seconds,
      size: job.size,
      acceptedAt: now,
      dueAt: at,
      deadlineAt: now + settings.runDeadlineMs(record.model),
      usualMs,
      progress: 1,
      setbacks: 0,
    },
  });
  if (accepted.result === 'missing') return DONE;
  context.wake(accepted.dispatched);
  if (accepted.result === 'moved') {
    if (accepted.record.cancelRequested && accepted.record.epoch === record.epoch)
      return { next: 'again', record: accepted.record };
    return comeBack(at);
  }
  if (accepted.result === 'taken') {
    logger.error({ task: record.id, upstream: record.upstream }, 'the upstream gave one id to two tasks');
    return settle(context, record, unknown(context), now + settings.retryMinMs);
  }
  if (accepted.record.upstreamId === job.upstreamId) return comeBack(now + settings.retryMinMs);
  logger.warn({ task: record.id, status: accepted.record.status }, 'accepted after the task had moved on');
  // The task has ended without this job: what was started for nobody is called off where that is possible.
  await capability.cancel?.(
    { taskId: record.id, model: record.upstreamModel, baseUrl: capability.baseUrl, upstreamId: job.upstreamId },
    context.signal,
  );
  return DONE;
}
