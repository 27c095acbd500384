import { createHash } from 'node:crypto';
import type { SubmitOutcome, VideoCapability, VideoRequest, VideoSubmission } from '@sluice/canonical';
import { nextPollDelay } from '../next-poll-delay.ts';
import type { TaskRecord } from '../task-record.ts';
import { storeInputs } from './store-inputs.ts';
import { comeBack, DONE, retryTime, settle, type StepContext, type StepEnd } from './step.ts';

/** Definite refusals at one route before the next one is tried. */
const SETBACKS_PER_ROUTE = 2;

/**
 * `queued`: waits for a place at the account, writes down the intent, submits once, and records what came of it.
 *
 * The intent (`submitting`, with the attempt's number) is in Redis before the first byte leaves: whoever finds it there
 * after a crash knows that the vendor may have been asked, and never asks again by itself.
 */
export async function submitStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { store, settings } = context;
  const capability = context.accounts.get(record.upstream);
  if (!capability) return comeBack(context.now() + settings.retryMaxMs);

  if (!record.dispatched) {
    const entered = await store.move(record.id, { epoch: record.epoch, from: ['queued'], enter: true });
    if (entered.result === 'missing') return DONE;
    context.wake(record.upstream, entered.dispatched);
    if (entered.result !== 'moved') return settle(context, record, { from: ['queued'] });
    if (!entered.record.dispatched) return comeBack(retryTime(context, record.setbacks));
    return { next: 'again', record: entered.record };
  }

  const inputs = await storeInputs(context, record);
  if ('end' in inputs) return inputs.end;
  const { request, images } = inputs;

  const submittedAt = context.now();
  const attempt = record.attempt + 1;
  const intent = await store.move(record.id, {
    epoch: record.epoch,
    from: ['queued'],
    to: 'submitting',
    count: 'submissions',
    due: submittedAt + settings.lockMs,
    set: {
      attempt,
      submittedAt,
      upstreamBaseUrl: capability.baseUrl,
      fingerprint: fingerprintOf(record.upstreamModel, request),
    },
  });
  if (intent.result !== 'moved') return settle(context, record, { from: ['queued'] });

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

/** Tells apart what was asked of one account; the same for the same wish. */
export function fingerprintOf(model: string, { prompt, seconds, size }: VideoRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, prompt, seconds, size]))
    .digest('base64url')
    .slice(0, 22);
}

async function recordOutcome(
  context: StepContext,
  record: TaskRecord,
  capability: VideoCapability,
  outcome: SubmitOutcome,
): Promise<StepEnd> {
  const { settings, logger } = context;
  const now = context.now();
  switch (outcome.kind) {
    case 'accepted':
      return acceptSubmission(context, record, capability, outcome);
    case 'rejected':
      return settle(context, record, {
        from: ['submitting'],
        to: 'failed',
        set: { errorCode: outcome.code, errorMessage: outcome.message },
      });
    case 'busy': {
      const setbacks = record.setbacks + 1;
      const next = setbacks >= SETBACKS_PER_ROUTE ? nextRoute(context, record) : undefined;
      if (next) return settle(context, record, next);
      const at = retryTime(context, setbacks, outcome.retryAfterMs);
      // The vendor named a time: that holds for everybody at this account, not for this task alone.
      const pauseMs =
        outcome.retryAfterMs === undefined ? undefined : Math.min(outcome.retryAfterMs, settings.retryMaxMs);
      return settle(context, record, { from: ['submitting'], to: 'queued', set: { setbacks }, pauseMs }, at);
    }
    case 'account': {
      logger.error({ upstream: record.upstream, code: outcome.code }, 'the upstream refuses our credential');
      const next = nextRoute(context, record);
      if (next) return settle(context, record, next);
      return settle(context, record, {
        from: ['submitting'],
        to: 'failed',
        set: { errorCode: outcome.code, errorMessage: outcome.message },
      });
    }
    case 'unknown':
      logger.warn({ task: record.id, upstream: record.upstream, reason: outcome.message }, 'submission unknown');
      return settle(
        context,
        record,
        {
          from: ['submitting'],
          to: 'submit_unknown',
          count: 'unknowns',
          set: { deadlineAt: now + settings.submitUnknownMs, setbacks: 0 },
        },
        now + settings.retryMinMs,
      );
  }
}

/** The move to the model's next route, if there is one. */
function nextRoute(context: StepContext, record: TaskRecord) {
  const route = record.route + 1;
  const target = context.targetsFor(record.model)[route];
  if (!target) return undefined;
  return {
    from: ['submitting'],
    to: 'queued',
    enter: true,
    set: { route, upstream: target.upstream, upstreamModel: target.model, setbacks: 0 },
    due: context.now(),
  } as const;
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
    from: ['submitting', 'submit_unknown'],
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
  context.wake(record.upstream, accepted.dispatched);
  if (accepted.result === 'moved') {
    if (accepted.record.cancelRequested) return { next: 'again', record: accepted.record };
    return comeBack(at);
  }
  if (accepted.result === 'taken') {
    logger.error({ task: record.id, upstream: record.upstream }, 'the upstream gave one id to two tasks');
    return settle(
      context,
      record,
      {
        from: ['submitting'],
        to: 'submit_unknown',
        count: 'unknowns',
        set: { deadlineAt: now + settings.submitUnknownMs },
      },
      now + settings.retryMinMs,
    );
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
