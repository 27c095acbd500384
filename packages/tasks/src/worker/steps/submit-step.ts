import { createHash, randomUUID } from 'node:crypto';
import type { MediaCapability, MediaRequest, MediaSubmission, SubmitOutcome, TaskErrorCode } from '@sluice/canonical';
import type { TaskRecord } from '../../store/task-record.ts';
import type { Move } from '../../store/move.ts';
import { UNDECIDED } from '../../store/submission-states.ts';
import { acceptSubmission, unknownSubmission } from './accept-submission.ts';
import { fetchInputs, openInputs } from './inputs.ts';
import { keepMade } from './keep-made.ts';
import { type Observer, listen, noteOf } from './note-of.ts';
import { capabilityOf, comeBack, DONE, retryTime, settle, type StepContext, type StepEnd } from './step.ts';

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
  const capability = capabilityOf(context, record);
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
      note: { what: 'inputs', outcome: 'gone' },
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
      upstreamAccount: capability.account,
      fingerprint: fingerprintOf(record.upstreamModel, request),
    },
    note: { what: 'submission', outcome: 'begun' },
  });
  if (intent.result === 'missing') return DONE;
  if (intent.result !== 'moved') {
    // Written, but its answer came so late that another has claimed the task. Nothing was sent, as we alone can know.
    return intent.record.submitToken === submitToken ? notSent() : settle(context, record, { from: ['queued'] });
  }

  const submission: MediaSubmission = {
    taskId: record.id,
    reference: referenceOf(intent.record),
    model: record.upstreamModel,
    request,
    images,
    submittedAt,
  };
  // Who stood still for so long may have lost the task to another, who has looked for this attempt in vain.
  if (context.now() - submittedAt > settings.lockMs) return notSent();

  const observer = listen();
  const outcome = await capability.submit(submission, context.signal, observer.observe);
  return recordOutcome(context, intent.record, capability, outcome, observer);

  function notSent(): Promise<StepEnd> {
    const note = { what: 'submission', outcome: 'not_sent' } as const;
    return settle(context, record, { ...backInQueue(record), note }, submittedAt, { attempt });
  }
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

/** Our name for an attempt: what a vendor that keeps its clients' references is told. */
export function referenceOf({ id, attempt }: Pick<TaskRecord, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/**
 * What a look-up can tell jobs apart by at most: coarser than what the vendor is compared with, so that a job that
 * could be another task's is never taken for this one's.
 */
export function fingerprintOf(model: string, { prompt }: MediaRequest): string {
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
  capability: MediaCapability,
  outcome: SubmitOutcome,
  observer: Observer,
): Promise<StepEnd> {
  const { settings, logger } = context;
  const { attempt } = record;
  const note = noteOf('submission', outcome, observer);
  switch (outcome.kind) {
    case 'accepted':
      return acceptSubmission(context, record, capability, outcome, note);
    case 'made':
      return keepMade(context, record, capability, outcome.outputs, note);
    case 'rejected':
      return settle(context, record, { ...failure(outcome), note }, undefined, { attempt });
    case 'busy': {
      const setbacks = record.setbacks + 1;
      const { retryMinMs: minMs, retryMaxMs: maxMs } = settings;
      const rest = { requestedMs: Math.min(outcome.retryAfterMs ?? 0, maxMs), minMs, maxMs };
      const next = setbacks >= SETBACKS_PER_ROUTE ? nextRoute(record) : undefined;
      if (next) return settle(context, record, { ...next, rest, note }, undefined, { attempt });
      const at = Math.min(record.deadlineAt, retryTime(context, setbacks, rest.requestedMs));
      const { set, ...back } = backInQueue(record);
      return settle(context, record, { ...back, set: { ...set, setbacks }, rest, note }, at, { attempt });
    }
    case 'account': {
      logger.error(
        { upstream: record.upstream, code: outcome.code },
        outcome.code === 'provider_quota'
          ? 'the upstream account has no balance'
          : 'the upstream refuses our credential',
      );
      return settle(context, record, { ...(nextRoute(record) ?? failure(outcome)), note }, undefined, { attempt });
    }
    case 'unknown':
      logger.warn({ task: record.id, upstream: record.upstream, reason: outcome.message }, 'submission unknown');
      return settle(context, record, { ...unknownSubmission(context), note }, context.now() + settings.retryMinMs);
  }
}

function failure({ code, message }: { code: TaskErrorCode; message: string }): Move {
  return { from: UNDECIDED, to: 'failed', set: { errorCode: code, errorMessage: message } };
}

/** The way back, with the time that the queue gives: another worker may have begun to look for the attempt, which has less. */
function backInQueue({ deadlineAt }: TaskRecord): Move {
  return { from: UNDECIDED, to: 'queued', set: { deadlineAt } };
}

/** The move to the model's next route, if there is one. */
function nextRoute(record: TaskRecord): Move | undefined {
  const route = record.route + 1;
  const target = record.targets[route];
  if (!target) return undefined;
  const { set, ...back } = backInQueue(record);
  const chosen = { route, upstream: target.upstream, upstreamModel: target.model, setbacks: 0 };
  return { ...back, enter: true, set: { ...set, ...chosen }, due: record.deadlineAt };
}
