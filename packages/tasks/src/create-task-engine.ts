import { randomBytes } from 'node:crypto';
import { GatewayError, isFinal, type MediaTask } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import { ALL_STATUSES, cancelTask } from './engine/cancel-task.ts';
import { followTask } from './engine/follow-task.ts';
import { guarded, type LostResponse } from './store/guarded.ts';
import { createKeyspace } from './store/keyspace.ts';
import { buildTaskOperator } from './operator/build-task-operator.ts';
import { prepareRedis } from './store/prepare-redis.ts';
import { responses, openRedisConnection } from './store/redis-connection.ts';
import { refusedAdmission } from './engine/refused-admission.ts';
import type { AdmittedTask, NewTask, TaskEngine, TaskListing, TaskPage } from './task-engine.ts';
import { TaskEvents } from './engine/task-events.ts';
import { isTaskId, newTaskId, type RandomBytes } from './store/task-id.ts';
import { TaskQueues } from './worker/task-queue.ts';
import type { AccountCaps, TaskSettings } from './store/task-settings.ts';
import { readTaskStats } from './engine/task-stats.ts';
import type { WokenTask } from './store/move.ts';
import { TaskStore } from './store/task-store.ts';

/** What the client's side of the engine runs on. */
export interface TaskEngineOptions {
  redisUrl: string;
  /** Name under which all keys live. */
  prefix: string;
  accounts: Record<string, AccountCaps>;
  settings: TaskSettings;
  /** Longest wait for one Redis command, milliseconds. */
  commandTimeoutMs: number;
  logger: Logger;
  now?: () => number;
  random?: RandomBytes;
}

/** How long the start waits for Redis before it goes on without; requests are answered with 503 until it is there. */
const FIRST_CONNECTION_MS = 3_000;
/** How often a waiting request reads the record even when no event came. */
const WAIT_REREAD_MS = 2_000;

/** A create whose answer from Redis was lost is not to be repeated blindly. */
const MAYBE_RECORDED: LostResponse = {
  message:
    'The task may or may not have been recorded. Send the request again with the same Idempotency-Key; one without a key may make a second task.',
  retryable: false,
};

/** Opens the client's side of the task engine. */
export async function createTaskEngine(options: TaskEngineOptions): Promise<TaskEngine> {
  const { settings, logger, now = Date.now, random = randomBytes } = options;
  const keys = createKeyspace(options.prefix);
  const connection = { url: options.redisUrl, logger };
  const api = { ...connection, role: 'api', commandTimeoutMs: options.commandTimeoutMs } as const;
  const redis = openRedisConnection(api);
  // A connection of its own without gathering: BullMQ defines its commands late, and a pipeline that is being gathered
  // then does not know them (ioredis 6: it throws, and takes the process down with the answers of the others).
  const bull = openRedisConnection({ ...api, gathers: false });
  const store = new TaskStore(redis, keys, { now, ...settings, logger });
  const queues = new TaskQueues(bull, keys, (error) => logger.debug({ err: error }, 'queue connection'));
  const events = new TaskEvents(openRedisConnection({ ...connection, role: 'worker' }), keys.events);
  const wakeUps = new Set<Promise<unknown>>();

  await prepareRedis(redis, { store, caps: options.accounts, waitMs: FIRST_CONNECTION_MS, logger });
  // Whatever Redis comes back as, it knows how much the accounts take.
  redis.on('ready', () => void store.saveCaps(options.accounts).catch(() => undefined));

  /** Wakes workers without holding up the answer: the sweeper wakes whom this misses. */
  function wake(tasks: readonly WokenTask[]): void {
    for (const { account, id } of tasks) {
      const wakeUp = queues
        .wake(account, id)
        .catch((error: unknown) => logger.warn({ err: error, task: id }, 'not enqueued; the sweeper will'))
        .finally(() => wakeUps.delete(wakeUp));
      wakeUps.add(wakeUp);
    }
  }

  /** What is deleted, or past its retention, does not exist, even if it has not been cleared away yet. */
  function exists({ deleted, expiresAt }: MediaTask): boolean {
    return !deleted && (expiresAt === undefined || expiresAt > now());
  }

  async function findForLink(id: string) {
    const record = isTaskId(id) ? await store.load(id) : undefined;
    return record && exists(record) ? record : undefined;
  }

  async function findRecord(ownerId: string, id: string) {
    const record = await findForLink(id);
    return record?.ownerId === ownerId ? record : undefined;
  }

  async function submit(newTask: NewTask): Promise<AdmittedTask> {
    const target = newTask.targets[0];
    if (!target) throw new GatewayError('no_upstream', 'No upstream serves this model at the moment.');
    const createdAt = now();
    const fetchesInputs = newTask.request.images.some(({ source }) => source.kind === 'url');
    const task: MediaTask = {
      id: newTaskId(newTask.request.kind, createdAt, random),
      kind: newTask.request.kind,
      ownerId: newTask.ownerId,
      status: 'queued',
      revision: 1,
      epoch: 0,
      model: newTask.model,
      progress: 0,
      seconds: newTask.seconds,
      size: newTask.request.size,
      seed: newTask.request.seed,
      ...(newTask.request.kind === 'image' && { delivery: newTask.request.delivery }),
      ...(newTask.externalId !== undefined && { externalId: newTask.externalId }),
      ...(newTask.callback && { callback: newTask.callback }),
      ...(newTask.origin !== undefined && { origin: newTask.origin }),
      ...(newTask.request.kind === 'video' && newTask.request.remix && { remixedFrom: newTask.request.remix.taskId }),
      outputs: [],
      prompt: newTask.request.prompt,
      createdAt,
      deadlineAt: createdAt + settings.queueDeadlineMs,
      upstream: target.upstream,
      route: 0,
      upstreamModel: target.model,
      attempt: 0,
      polls: 0,
      unclearPolls: 0,
      cancelRequested: false,
      deleted: false,
    };
    const { prompt: _kept, delivery: _too, cancelRequested: _no, deleted: _neither, error: _none, ...stored } = task;
    const { outputs: _empty, callback, ...fields } = stored;
    const admitted = await store.admit({
      id: task.id,
      ownerId: task.ownerId,
      account: task.upstream,
      digest: newTask.digest,
      idempotencyKey: newTask.idempotencyKey,
      operation: newTask.operation,
      retryCount: newTask.retryCount,
      request: newTask.request,
      deadlineAt: task.deadlineAt,
      fetchesInputs,
      ...(newTask.allowance && { allowance: newTask.allowance }),
      ...(newTask.externalId !== undefined && { externalId: newTask.externalId }),
      fields: Object.fromEntries(
        Object.entries({
          ...fields,
          ...(callback && { callbackUrl: callback.url, callbackShape: callback.shape }),
          targets: JSON.stringify(newTask.targets),
          setbacks: 0,
          inputsPending: fetchesInputs ? 1 : 0,
        }).filter(([, value]) => value !== undefined),
      ),
    });
    if (admitted.result === 'conflict') {
      throw new GatewayError(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request. Use a new key, or send the same request.',
        { param: 'Idempotency-Key' },
      );
    }
    if (admitted.result === 'named') {
      throw new GatewayError('invalid_request', 'Another task has this external id. Choose one that is not in use.', {
        param: 'external_task_id',
      });
    }
    if (admitted.result === 'full' || admitted.result === 'unpaid') {
      throw refusedAdmission(admitted.result, newTask);
    }
    if (admitted.result === 'replay') {
      const earlier = await store.load(admitted.id);
      if (!earlier || !exists(earlier))
        throw new GatewayError(`${task.kind}_not_found`, 'The task of this Idempotency-Key is gone.');
      return { task: earlier, replayed: true };
    }
    wake(admitted.dispatched);
    return { task, replayed: false };
  }

  async function list(ownerId: string, { kind, after, limit, order }: TaskListing): Promise<TaskPage> {
    const key = keys.owner(ownerId);
    if (after !== undefined && !after.startsWith(`${kind}_`)) return { tasks: [], hasMore: false };
    // All scores are equal, so the set is in the order of ids: by kind, then by creation.
    const [first, last] = [`[${kind}_`, `(${kind}\x60`]; // the character after `_`
    const tasks: MediaTask[] = [];
    let place = after;
    for (;;) {
      const ids =
        order === 'asc'
          ? await redis.zrange(key, place ? `(${place}` : first, last, 'BYLEX', 'LIMIT', 0, limit + 1)
          : await redis.zrange(key, place ? `(${place}` : last, first, 'BYLEX', 'REV', 'LIMIT', 0, limit + 1);
      tasks.push(...(await store.loadMany(ids)).filter(exists));
      place = ids.at(-1);
      if (tasks.length > limit || ids.length <= limit) break;
    }
    return { tasks: tasks.slice(0, limit), hasMore: tasks.length > limit };
  }

  async function waitForEnd(task: MediaTask, timeoutMs: number, signal: AbortSignal): Promise<MediaTask> {
    const until = now() + timeoutMs;
    let current = task;
    let wakeUp: (() => void) | undefined;
    const unwatch = events.watch(task.id, () => wakeUp?.());
    const lookAgain = () => wakeUp?.();
    signal.addEventListener('abort', lookAgain);
    try {
      for (;;) {
        // Armed before the record is read, so that no event falls in between.
        const sign = new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
        // An outage of Redis must not turn an accepted task into an error: the caller has a task to answer with.
        current = (await store.load(task.id).catch(() => undefined)) ?? current;
        const left = until - now();
        if (isFinal(current.status) || left <= 0 || signal.aborted) return current;
        const timer = setTimeout(() => wakeUp?.(), Math.min(left, WAIT_REREAD_MS));
        await sign;
        clearTimeout(timer);
      }
    } finally {
      unwatch();
      // A signal of several that is listened to lives as long as the longest of them: the process' own.
      signal.removeEventListener('abort', lookAgain);
    }
  }

  return {
    submit: (newTask) => guarded(() => submit(newTask), MAYBE_RECORDED),
    capOwners: (caps) => guarded(async () => wake(await store.capOwners(caps))),
    find: (ownerId, id) => guarded(() => findRecord(ownerId, id)),
    findByExternalId: (ownerId, externalId) =>
      guarded(async () => {
        const id = await store.idOf(ownerId, externalId);
        return id === undefined ? undefined : findRecord(ownerId, id);
      }),
    findForLink: (id) => guarded(() => findForLink(id)),
    list: (ownerId, listing) => guarded(() => list(ownerId, listing)),
    cancel: (ownerId, id) =>
      guarded(async () => {
        const record = await findRecord(ownerId, id);
        if (!record) throw new GatewayError('video_not_found', `There is no video ${id}.`);
        const canceled = await cancelTask(store, queues, record, wake);
        if (canceled.status === 'completed' || canceled.status === 'failed') {
          throw new GatewayError('task_final', `The video has ended as ${canceled.status} and cannot be canceled.`);
        }
        return { ...canceled, prompt: record.prompt };
      }),
    remove: (ownerId, id) =>
      guarded(async () => {
        const record = await findRecord(ownerId, id);
        if (!record) throw new GatewayError('video_not_found', `There is no video ${id}.`);
        // Gone in the step that cancels it: its owner is not told of the end of what is deleted.
        await cancelTask(store, queues, record, wake, { what: 'cancel', outcome: 'requested' }, { deleted: true });
        await store.move(id, { from: ALL_STATUSES, set: { deleted: true }, note: { what: 'delete' } });
      }),
    waitForEnd,
    follow: (task, after, signal) =>
      followTask({ redis, keys, store, events, rereadMs: WAIT_REREAD_MS }, task, after, signal),
    hurry(task) {
      const due = task.dueAt ?? 0;
      const looked = task.polledAt ?? task.acceptedAt ?? 0;
      const settled = now() - looked >= settings.polling.onReadMs;
      if (task.status !== 'in_progress' || !settled || due - now() < settings.polling.onReadMs / 10) return;
      void queues.promote(task.upstream, task.id).catch(() => undefined);
    },
    pollAfterMs(task) {
      const { minMs, maxMs } = settings.polling;
      const untilDue = task.status === 'in_progress' && task.dueAt !== undefined ? task.dueAt - now() : minMs;
      return Math.min(maxMs, Math.max(Math.min(minMs, 1_000), untilDue));
    },
    operator: buildTaskOperator({ redis, keys, store, queues, wake, settings, now }),
    stats: () => guarded(() => readTaskStats(redis, keys)),
    ready: () => responses(redis, options.commandTimeoutMs),
    async close() {
      events.close();
      await Promise.allSettled(wakeUps);
      await queues.close();
      bull.disconnect();
      redis.disconnect();
    },
  };
}
