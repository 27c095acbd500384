import { GatewayError, isFinal, OPEN_STATUSES } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { cancelTask } from '../engine/cancel-task.ts';
import { guarded, type LostResponse } from '../store/guarded.ts';
import type { Keyspace } from '../store/keyspace.ts';
import type { Move, WokenTask } from '../store/move.ts';
import { readTimeline } from '../store/read-timeline.ts';
import { isUndecided } from '../worker/steps/accept-submission.ts';
import { isTaskId } from '../store/task-id.ts';
import type { TaskQueues } from '../worker/task-queue.ts';
import { type TaskRecord, vendorAccountOf } from '../store/task-record.ts';
import type { TaskSettings } from '../store/task-settings.ts';
import type { TaskStore } from '../store/task-store.ts';
import type { TimelineNote } from '../store/timeline.ts';
import { reindex } from './reindex.ts';
import { searchTasks } from './search-tasks.ts';
import type { AdoptedJob, OperatorAct, OperatorResult, TaskOperator } from './task-operator.ts';

/** What operators' acts work with. */
export interface OperatorContext {
  redis: Redis;
  keys: Keyspace;
  store: TaskStore;
  queues: TaskQueues;
  wake: (tasks: readonly WokenTask[]) => void;
  settings: Pick<TaskSettings, 'queueDeadlineMs' | 'runDeadlineMs' | 'retentionMs'>;
  now: () => number;
}

/** What an act does to a record as it was read: a move, or nothing since it has been done. @throws GatewayError when it does not fit */
type Plan = (record: TaskRecord) => Move | 'done' | Promise<Move | 'done'>;

/** Each refusal means that a worker moved the task on in between, which it can do only so often. */
const MAX_TRIES = 8;

/** Each act is done once however often it is asked for, so its repeat is safe. */
const MAYBE_DONE: LostResponse = {
  message: 'It may or may not have been done. Ask for it again: what has been done is not done a second time.',
  retryable: true,
};

/** Builds a {@link TaskOperator}. */
export function buildTaskOperator(context: OperatorContext): TaskOperator {
  const { redis, keys, store, queues, settings, now } = context;

  async function find(id: string): Promise<TaskRecord> {
    const record = isTaskId(id) ? await store.loadState(id) : undefined;
    if (record) return record;
    throw new GatewayError('not_found', `There is no task ${JSON.stringify(id.slice(0, 80))}.`);
  }

  /** Reads, plans and moves, anew for as long as others move the task in between. */
  function carryOut(id: string, plan: Plan, job?: AdoptedJob): Promise<OperatorResult> {
    return guarded(() => tryToCarryOut(id, plan, job), MAYBE_DONE);
  }

  async function tryToCarryOut(id: string, plan: Plan, job: AdoptedJob | undefined): Promise<OperatorResult> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const record = await find(id);
      const move = await plan(record);
      if (move === 'done') return { task: record, changed: false };
      const moved = await store.move(id, move);
      if (moved.result === 'taken') throw await takenError(record, job);
      if (moved.result !== 'moved') continue;
      context.wake(moved.dispatched.filter((woken) => woken.id !== id));
      if (!isFinal(moved.record.status)) await queues.revive(moved.record.upstream, id);
      return { task: moved.record, changed: true };
    }
    throw conflict('The task keeps moving. Look at it again.');
  }

  async function takenError(record: TaskRecord, job: AdoptedJob | undefined): Promise<GatewayError> {
    const holder = await redis.get(keys.claimed(vendorAccountOf(record), job?.upstreamJobId ?? ''));
    return conflict(`The job belongs to the task ${holder ?? 'that was given it first'}.`);
  }

  function adoption({ upstreamJobId, upstreamPath, insteadOf }: AdoptedJob, note: TimelineNote): Plan {
    return (record) => {
      const { status, attempt, epoch, error, upstreamId, adopted } = record;
      if (upstreamId === upstreamJobId && (upstreamPath ?? record.upstreamPath) === record.upstreamPath) return 'done';
      const job = { upstreamId: upstreamJobId, upstreamPath: upstreamPath ?? '', adopted: true };
      const isWrong = adopted && upstreamId === insteadOf;
      if (status === 'failed' && error?.code === 'submission_unknown' && (upstreamId === undefined || isWrong)) {
        return { attempt, from: ['failed'], set: job, note };
      }
      const isLost = status === 'submit_unknown';
      if (!isLost && !(status === 'in_progress' && adopted)) {
        throw misfit(record, 'Only a task whose submission is lost can be given a job.');
      }
      if (!isLost && !isWrong) {
        throw conflict(
          `The task was given the job ${upstreamId}. Name it in instead_of, --instead-of, to give another.`,
        );
      }
      const at = now();
      return {
        attempt,
        // Whoever is polling the wrong job must not write what became of it.
        ...(isWrong && { epoch, claim: true }),
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

  function resubmission(lost: number, note: TimelineNote): Plan {
    return async (record) => {
      const { id, status, attempt } = record;
      if (status === 'submit_unknown' && lost === attempt) {
        const deadlineAt = now() + settings.queueDeadlineMs;
        const set = { deadlineAt, waitUntil: deadlineAt, setbacks: 0 };
        return {
          attempt,
          from: ['submit_unknown'],
          to: 'queued',
          enter: true,
          orphan: true,
          due: deadlineAt,
          set,
          note,
        };
      }
      const timeline = await readTimeline(redis, keys, id);
      const isDone = timeline.some(
        (entry) => entry.what === 'operator' && entry.outcome === note.outcome && entry.attempt === lost,
      );
      if (isDone) return 'done';
      if (status !== 'submit_unknown') {
        throw misfit(record, 'Only a task whose submission is lost can be submitted again.');
      }
      throw conflict(`The attempt that is lost is ${attempt}, not ${lost}.`);
    };
  }

  return {
    search: (search) => guarded(() => searchTasks(context, search)),
    show: (id) =>
      guarded(async () => {
        const task = await find(id);
        const [timeline, request] = await Promise.all([readTimeline(redis, keys, id), store.loadRequest(id)]);
        return { task, timeline, request };
      }),
    adopt: (id, job, act) => carryOut(id, adoption(job, noteOf('adopted', act)), job),
    fail: (id, reason, act) => carryOut(id, failure(reason, { ...noteOf('failed', act), reason })),
    resubmit: (id, attempt, act) => carryOut(id, resubmission(attempt, noteOf('resubmitted', act))),
    cancel: (id, act) => guarded(() => cancel(id, act), MAYBE_DONE),
    reindex: () => guarded(() => reindex(redis, keys, { now: now(), retentionMs: settings.retentionMs })),
  };

  async function cancel(id: string, act: OperatorAct): Promise<OperatorResult> {
    const record = await find(id);
    const canceled = await cancelTask(store, queues, record, context.wake, noteOf('canceled', act));
    const { status } = canceled;
    if (status === 'completed' || status === 'failed') throw misfit(canceled, 'It cannot be canceled.');
    if (status === 'finishing') throw conflict('The video has been made and is being copied: too late to cancel.');
    return { task: canceled, changed: canceled.revision !== record.revision };
  }
}

function failure(reason: string, note: TimelineNote): Plan {
  return (record) => {
    const { status, error } = record;
    if (status === 'failed' && error?.message === reason) return 'done';
    if (isFinal(status)) throw misfit(record, 'It cannot be ended once more.');
    const errorCode = isUndecided(status) ? 'submission_unknown' : 'provider_error';
    return {
      from: [status],
      to: 'failed',
      set: { errorCode, errorMessage: reason },
      note: { ...note, code: errorCode },
    };
  };
}

function noteOf(outcome: string, { by, note }: OperatorAct): TimelineNote {
  return { what: 'operator', outcome, by, ...(note !== undefined && { note }) };
}

function misfit({ status }: TaskRecord, what: string): GatewayError {
  if (OPEN_STATUSES.some((open) => open === status)) return conflict(`The task is ${status}. ${what}`);
  return new GatewayError('task_final', `The task has ended as ${status}. ${what}`);
}

function conflict(message: string): GatewayError {
  return new GatewayError('task_conflict', message);
}
