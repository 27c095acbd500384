import { createHash, randomUUID } from 'node:crypto';
import {
  type MediaCapability,
  type MediaRequest,
  type MediaSubmission,
  splitAccount,
  type SubmitOutcome,
  type TaskErrorCode,
} from '@sluice/canonical';
import { ContentUnavailableError } from '@sluice/content';
import { priceFields } from '../../store/task-price.ts';
import { NotReplicatedError } from '../../store/replicated-writes.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { Move } from '../../store/move.ts';
import { UNCONFIRMED } from '../../store/submission-states.ts';
import { acceptSubmission, unknownSubmission } from './accept-submission.ts';
import { fetchInputs, openInputs, waitInQueue } from './inputs.ts';
import { storeReturnedOutputs } from './store-returned-outputs.ts';
import { loggedReason, type ResponseRecorder, recordResponse, timelineNote } from './timeline-note.ts';
import { capabilityOf, resumeAt, DONE, retryTime, commitStep, type StepContext, type StepEnd } from './step.ts';

/** After this many definite refusals by one route, the next route is tried. */
const REFUSALS_PER_ROUTE = 2;

/**
 * Handles `queued`: fetches input images, waits for a slot at the account, records the start of the submission, submits
 * once, and records the outcome.
 *
 * The state `submitting` and the attempt's number are in Redis before the first byte is sent. After a crash, the next
 * worker therefore knows that the vendor may have received the request, and does not submit again.
 *
 * @param known the request of a task that is not claimed yet; the start of the submission then also claims the task
 */
export async function submitStep(context: StepContext, record: TaskRecord, known?: MediaRequest): Promise<StepEnd> {
  const { store, settings } = context;
  const capability = capabilityOf(context, record);
  if (!capability) return resumeAt(context.now() + settings.retryMaxMs);

  if (record.inputsPending) return fetchInputs(context, record);
  if (!record.dispatched) return waitForSlot(context, record);

  const request = known ?? (await store.loadRequest(record.id));
  const images = await openInputs(context, request).catch(unavailableStore);
  if (images instanceof ContentUnavailableError) return waitInQueue(context, record, images);
  if (!images) {
    await store.forgetInputs(record, request.images);
    return commitStep(context, record, {
      from: ['queued'],
      to: 'failed',
      set: { errorCode: 'invalid_request', errorMessage: 'The uploaded image is no longer stored. Upload it again.' },
      note: { what: 'inputs', outcome: 'gone' },
    });
  }

  const submittedAt = context.now();
  const attempt = record.attempt + 1;
  const submitToken = randomUUID();
  const begin: Move = {
    epoch: record.epoch,
    claim: known !== undefined,
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
  };
  const intent = await store.move(record.id, begin, { replicated: true }).catch(unlessNotReplicated);
  if (!intent) return notSent(record);
  if (intent.result === 'missing') return DONE;
  const claimed = intent.result === 'moved' ? intent.record : record;
  if (intent.result !== 'moved') {
    // `submitting` was written, but the Redis reply arrived so late that another worker has claimed the task. Only this
    // step knows that nothing was sent.
    return intent.record.submitToken === submitToken
      ? notSent(claimed)
      : commitStep(context, record, { from: ['queued'] });
  }

  const submission: MediaSubmission = {
    taskId: record.id,
    reference: referenceOf(intent.record),
    model: record.upstreamModel,
    request,
    images,
    submittedAt,
  };
  // After such a long pause, another worker may have claimed the task and found no job of this attempt.
  if (context.now() - submittedAt > settings.lockMs) return notSent(claimed);

  const observer = recordResponse();
  const outcome = await capability.submit(submission, context.signal, observer.observe);
  return recordOutcome(context, intent.record, capability, outcome, observer);

  function notSent(current: TaskRecord): Promise<StepEnd> {
    const note = { what: 'submission', outcome: 'not_sent' } as const;
    return commitStep(context, current, { ...backInQueue(record), note }, submittedAt, { attempt });
  }
}

/** After a failover, nothing would show that a submission had begun. So it must not begin. */
function unlessNotReplicated(error: unknown): undefined {
  if (!(error instanceof NotReplicatedError)) throw error;
}

function unavailableStore(error: unknown): ContentUnavailableError {
  if (error instanceof ContentUnavailableError) return error;
  throw error;
}

/** Enters the account's admission queue. The task needs no job while it waits, because its dispatch adds one. */
async function waitForSlot(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const entered = await context.store.move(record.id, {
    epoch: record.epoch,
    from: ['queued'],
    enqueue: true,
    due: record.deadlineAt,
  });
  if (entered.result === 'missing') return DONE;
  context.wake(entered.dispatched.filter(({ id }) => id !== record.id));
  if (entered.result !== 'moved') return commitStep(context, record, { from: ['queued'] });
  return entered.record.dispatched ? { next: 'again', record: entered.record } : { next: 'parked' };
}

/** Returns an attempt's reference, for vendors that store references of clients. */
export function referenceOf({ id, attempt }: Pick<TaskRecord, 'id' | 'attempt'>): string {
  return `${id}-${attempt}`;
}

/**
 * Returns a fingerprint of the request. It covers fewer fields than the search for the vendor's job compares, so that
 * the job of a similar task is never adopted.
 */
export function fingerprintOf(model: string, { prompt }: MediaRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([model, prompt?.trim()]))
    .digest('base64url')
    .slice(0, 22);
}

/** Records a submission's outcome. The move checks the attempt instead of the epoch; see {@link acceptSubmission}. */
async function recordOutcome(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  outcome: SubmitOutcome,
  observer: ResponseRecorder,
): Promise<StepEnd> {
  const { settings, logger } = context;
  const { attempt } = record;
  const note = timelineNote('submission', outcome, observer);
  switch (outcome.kind) {
    case 'accepted':
      return acceptSubmission(context, record, capability, outcome, note);
    case 'returned':
      return storeReturnedOutputs(context, record, capability, outcome.outputs, note);
    case 'rejected':
      return commitStep(context, record, { ...failure(outcome), note }, undefined, { attempt });
    case 'busy': {
      const setbacks = record.setbacks + 1;
      const { retryMinMs: minMs, retryMaxMs: maxMs } = settings;
      const pause = { requestedMs: Math.min(outcome.retryAfterMs ?? 0, maxMs), minMs, maxMs };
      const next = setbacks >= refusalsBefore(record) ? nextRoute(record) : undefined;
      if (next) return commitStep(context, record, { ...next, pause, note }, undefined, { attempt });
      const at = Math.min(record.deadlineAt, retryTime(context, setbacks, pause.requestedMs));
      const { set, ...back } = backInQueue(record);
      return commitStep(context, record, { ...back, set: { ...set, setbacks }, pause, note }, at, { attempt });
    }
    case 'account': {
      logger.error(
        { upstream: record.upstream, code: outcome.code },
        outcome.code === 'provider_quota' ? 'upstream account quota exhausted' : 'upstream account credential rejected',
      );
      return commitStep(context, record, { ...(nextRoute(record) ?? failure(outcome)), note }, undefined, { attempt });
    }
    case 'unknown':
      logger.warn({ task: record.id, upstream: record.upstream, ...loggedReason(note) }, 'submission outcome unknown');
      return commitStep(context, record, { ...unknownSubmission(context), note }, context.now() + settings.retryMinMs);
  }
}

function failure({ code, message }: { code: TaskErrorCode; message: string }): Move {
  return { from: UNCONFIRMED, to: 'failed', set: { errorCode: code, errorMessage: message } };
}

/**
 * Returns the task to the queue and restores the queue's deadline, because another worker may have set the shorter
 * reconciliation deadline.
 */
function backInQueue({ deadlineAt }: TaskRecord): Move {
  return { from: UNCONFIRMED, to: 'queued', set: { deadlineAt } };
}

/** Another credential of the same upstream is tried at once. */
function refusalsBefore({ upstream, targets, route }: TaskRecord): number {
  const next = targets[route + 1]?.upstream;
  const isPooled = next !== undefined && splitAccount(next).upstream === splitAccount(upstream).upstream;
  return isPooled ? 1 : REFUSALS_PER_ROUTE;
}

/** Moves the task to the model's next route. Returns undefined if there is none. */
function nextRoute(record: TaskRecord): Move | undefined {
  const route = record.route + 1;
  const target = record.targets[route];
  if (!target) return undefined;
  const { set, ...back } = backInQueue(record);
  const { upstream, model: upstreamModel, price } = target;
  const chosen = { route, upstream, upstreamModel, setbacks: 0, ...priceFields(price) };
  return { ...back, enqueue: true, set: { ...set, ...chosen }, due: record.deadlineAt };
}
