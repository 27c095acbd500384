import { randomBytes } from 'node:crypto';
import type { InputImage, MediaRequest } from '@sluice/canonical';
import { redisJson } from '@sluice/redis-scripts';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { type Admission, type AdmissionResult, admitTask } from './admission.ts';
import { DamagedTaskError } from './damaged-task-error.ts';
import { type RunningPoll, runningPoll } from './keep-polling.ts';
import type { Keyspace } from './keyspace.ts';
import { type Move, type MoveResult, parseWoken, type WokenTask } from './move.ts';
import { type InputLife, newInputs, storedInputs } from './stored-inputs.ts';
import { LATENESS_BOUNDS_MS } from './task-stats.ts';
import { NotReplicatedError, type ReplicatedWrites } from './replicated-writes.ts';
import { parseTaskJson, parseTaskRecord, type TaskRecord } from './task-record.ts';
import { defineTaskScripts } from './task-scripts.ts';
import { shortenNote } from './timeline.ts';

const RESEND_MS = 250;
/** A replica that is away for longer must not keep a worker from its other tasks. */
const REPLICATION_RESENDS = 8;

export interface TaskStoreOptions extends EndOptions {
  now: () => number;
  submitUnknownMs: number;
  /** How often a command is resent after the connection was lost. The default is 0. */
  resends?: number;
  /** Confirms admissions, and the moves that ask for it. */
  replicated?: ReplicatedWrites | undefined;
  logger?: Pick<Logger, 'warn'>;
  /** Called after each change of a task by {@link TaskStore.move}. Must not throw. */
  onMoved?: ((record: TaskRecord) => void) | undefined;
}

/** The options with which the scripts end a task. */
export interface EndOptions {
  retentionMs: number;
  maxLedgerEntries?: number | undefined;
  /** Whether to announce the end of every task, because the owners' webhooks are in another Redis. */
  announcesAll?: boolean | undefined;
}

export function endOptions({ retentionMs, maxLedgerEntries, announcesAll }: EndOptions): EndOptions {
  return { retentionMs, maxLedgerEntries, announcesAll };
}

/** Task records in Redis. Every method throws `DamagedTaskError` for an invalid record. */
export class TaskStore {
  readonly #redis: Redis;
  readonly #keys: Keyspace;
  readonly #now: () => number;
  readonly #ending: EndOptions;
  readonly #fingerprintLifeMs: number;
  readonly #process = randomBytes(6).toString('base64url');
  readonly #resends: number;
  readonly #replicated: ReplicatedWrites | undefined;
  readonly #logger: TaskStoreOptions['logger'];
  readonly #onMoved: TaskStoreOptions['onMoved'];
  #operations = 0;

  constructor(redis: Redis, keys: Keyspace, options: TaskStoreOptions) {
    this.#redis = redis;
    this.#keys = keys;
    this.#now = options.now;
    this.#ending = endOptions(options);
    this.#fingerprintLifeMs = 3 * options.submitUnknownMs;
    this.#resends = options.resends ?? 0;
    this.#replicated = options.replicated;
    this.#logger = options.logger;
    this.#onMoved = options.onMoved;
    defineTaskScripts(redis);
  }

  admit(admission: Admission): Promise<AdmissionResult> {
    return this.#replicate((redis) => admitTask(redis, this.#keys, this.#now(), admission));
  }

  async findIdByExternalId(ownerId: string, externalId: string): Promise<string | undefined> {
    return (await this.#redis.get(this.#keys.external(ownerId, externalId))) ?? undefined;
  }

  /**
   * @param replicated whether the configured number of replicas must have the change before this method returns
   * @throws {NotReplicatedError} if they do not have it after some time
   */
  async move(id: string, move: Move, { replicated = false } = {}): Promise<MoveResult> {
    const set: Record<string, string> = {};
    for (const [field, value] of Object.entries(move.set ?? {})) {
      if (value !== undefined) set[field] = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
    }
    const operation = this.#nextOperation();
    const send = (redis: Redis) =>
      redis.sluiceMove(
        this.#keys.task(id),
        this.#keys.prefix,
        this.#now(),
        id,
        operation,
        redisJson({
          ...move,
          claim: move.claim ? LATENESS_BOUNDS_MS : undefined,
          note: move.note && shortenNote(move.note),
          set,
          ...this.#ending,
          fingerprintLifeMs: this.#fingerprintLifeMs,
        }),
      );
    const [result, dispatched, ...record] = await this.#persist(() =>
      replicated ? this.#replicate(send) : send(this.#redis),
    );
    if (result !== 'moved' && result !== 'fenced' && result !== 'refused' && result !== 'taken') {
      return { result: 'missing' };
    }
    const after = parseTaskRecord(id, record);
    if (result === 'moved') this.#onMoved?.(after);
    return {
      result,
      record: after,
      dispatched: (dispatched ?? '').split(' ').filter(Boolean).map(parseWoken),
    };
  }

  /**
   * Records a poll after which the vendor's job is still running. The command is sent before this method returns.
   * Returns the new record, or undefined if the record in Redis has changed; then nothing is written.
   */
  async keepPolling(record: TaskRecord, poll: RunningPoll): Promise<TaskRecord | undefined> {
    const { after, send } = runningPoll(this.#redis, this.#keys, this.#nextOperation(), record, poll);
    return (await this.#persist(() => send(this.#now()))) ? after : undefined;
  }

  #nextOperation(): string {
    return `${this.#process}${(this.#operations++).toString(36)}`;
  }

  #replicate<T>(write: (redis: Redis) => Promise<T>): Promise<T> {
    return this.#replicated ? this.#replicated.run(write) : write(this.#redis);
  }

  /** Each command has an operation id or can be repeated, so that a resent command is applied only once. */
  async #persist<T>(send: () => Promise<T>): Promise<T> {
    for (let resends = 0; ; resends++) {
      try {
        return await send();
      } catch (error) {
        const isResponse = error instanceof Error && error.name === 'ReplyError';
        const limit = error instanceof NotReplicatedError ? REPLICATION_RESENDS : this.#resends;
        if (isResponse || resends >= Math.min(limit, this.#resends)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RESEND_MS));
      }
    }
  }

  /** Reads a record, including the request fields that clients see. */
  async load(id: string): Promise<TaskRecord | undefined> {
    const [record, request] = await Promise.all([this.loadState(id), this.#redis.get(this.#keys.request(id))]);
    if (!record) return undefined;
    const { prompt, ...params } = parseRequest(id, request);
    return {
      ...record,
      ...(prompt !== undefined && { prompt }),
      ...(params.kind === 'image' && { delivery: params.delivery }),
    };
  }

  /** Reads a record without request fields (e.g. the prompt). */
  async loadState(id: string): Promise<TaskRecord | undefined> {
    const fields = await this.#redis.hgetall(this.#keys.task(id));
    return fields['status'] ? parseTaskRecord(id, Object.entries(fields).flat()) : undefined;
  }

  async loadMany(ids: readonly string[]): Promise<TaskRecord[]> {
    const records = await Promise.all(ids.map((id) => this.#unlessDamaged(id, this.load(id))));
    return records.filter((record) => record !== undefined);
  }

  /** Reads records without request fields. Missing and damaged records are undefined. */
  async loadStates(ids: readonly string[]): Promise<(TaskRecord | undefined)[]> {
    return Promise.all(ids.map((id) => this.#unlessDamaged(id, this.loadState(id))));
  }

  async #unlessDamaged(id: string, read: Promise<TaskRecord | undefined>): Promise<TaskRecord | undefined> {
    try {
      return await read;
    } catch (error) {
      if (!(error instanceof DamagedTaskError)) throw error;
      this.#logger?.warn({ err: error, task: id }, 'damaged task skipped');
      return undefined;
    }
  }

  async loadRequest(id: string): Promise<MediaRequest> {
    return parseRequest(id, await this.#redis.get(this.#keys.request(id)));
  }

  /** @param until when the sweeper checks the task next, in Unix milliseconds */
  async postpone(id: string, until: number): Promise<void> {
    // Because of `XX`, a task that is no longer in the set is not added again.
    await this.#redis.zadd(this.#keys.due, 'XX', until, id);
  }

  /**
   * Replaces the request of a waiting task when its input images have been stored, unless another worker has claimed
   * the task.
   * @param stored the images that were stored for the task
   * @returns the keys of those that no task uses. The caller removes them.
   */
  storeInputs(
    { id, ownerId, epoch }: TaskRecord,
    request: MediaRequest,
    stored: readonly InputImage[],
    life: InputLife,
  ): Promise<string[]> {
    const inputs = JSON.stringify(newInputs(this.#keys, ownerId, stored, life));
    const { prefix } = this.#keys;
    return this.#persist(() =>
      this.#redis.sluiceStoreInputs(this.#keys.task(id), prefix, id, epoch, inputs, JSON.stringify(request)),
    );
  }

  /**
   * Releases the input images of a final task that is removed next.
   * @returns the keys that no other task uses. The caller removes them.
   */
  async releaseInputs({ id, ownerId }: TaskRecord, { images }: MediaRequest): Promise<string[]> {
    const pairs = storedInputs(this.#keys, ownerId, images).flatMap(({ key, hash }) => [key, hash]);
    if (pairs.length === 0) return [];
    // A failover must not bring back the use of contents that are removed.
    return this.#replicate((redis) => redis.sluiceReleaseInputs(this.#keys.task(id), this.#keys.prefix, id, ...pairs));
  }

  /** Ends the sharing of a task's input images, because a content is missing. The next tasks keep their own uploads. */
  async forgetInputs({ ownerId }: TaskRecord, images: readonly InputImage[]): Promise<void> {
    const inputs = storedInputs(this.#keys, ownerId, images);
    if (inputs.length > 0) await this.#redis.del(inputs.map(({ hash }) => this.#keys.input(hash)));
  }

  /** Returns the jobs of an account that no task has claimed. */
  async findUnclaimed(vendorAccount: string, upstreamIds: readonly string[]): Promise<string[]> {
    const holders = await Promise.all(upstreamIds.map((id) => this.#redis.get(this.#keys.claimed(vendorAccount, id))));
    return upstreamIds.filter((_, index) => holders[index] === null);
  }

  async countOpenSubmissions(vendorAccount: string, fingerprint: string): Promise<number> {
    return this.#redis.scard(this.#keys.fingerprint(vendorAccount, fingerprint));
  }

  /** Returns the typical running time of a model's tasks of one kind, in milliseconds; undefined if none has ended. */
  async usualMs({ kind, model }: Pick<TaskRecord, 'kind' | 'model'>): Promise<number | undefined> {
    const usual = await this.#redis.hget(this.#keys.usual, `${kind}:${model}`);
    return usual === null ? undefined : Number(usual);
  }

  async saveCaps(caps: Record<string, { maxInFlight?: number; maxSubmitting: number }>): Promise<void> {
    for (const [account, cap] of Object.entries(caps)) {
      await this.#redis.hset(this.#keys.caps, `${account}:submitting`, cap.maxSubmitting);
      if (cap.maxInFlight === undefined) await this.#redis.hdel(this.#keys.caps, `${account}:in_flight`);
      else await this.#redis.hset(this.#keys.caps, `${account}:in_flight`, cap.maxInFlight);
    }
  }

  async capOwners(caps: ReadonlyMap<string, number | undefined>): Promise<WokenTask[]> {
    const pairs = [...caps].flatMap(([owner, max]) => [owner, max ?? '']);
    const woken = await this.#redis.sluiceCapOwners(this.#keys.due, this.#keys.prefix, this.#now(), ...pairs);
    return woken.map(parseWoken);
  }

  /** Pauses or resumes all waiting tasks of an owner. */
  async pauseOwner(ownerId: string, paused: boolean): Promise<WokenTask[]> {
    const flag = paused ? '1' : '0';
    const pause = (redis: Redis) =>
      redis.sluicePauseOwner(this.#keys.pausedOwners, this.#keys.prefix, this.#now(), ownerId, flag);
    return (await this.#replicate(pause)).map(parseWoken);
  }

  async dispatchAll(accounts: readonly string[]): Promise<WokenTask[]> {
    const woken = await this.#redis.sluiceDispatchAll(this.#keys.due, this.#keys.prefix, this.#now(), ...accounts);
    return woken.map(parseWoken);
  }

  async purge(id: string): Promise<boolean> {
    const { prefix } = this.#keys;
    const ending = JSON.stringify(this.#ending);
    return (await this.#redis.sluicePurge(this.#keys.task(id), prefix, id, this.#now(), ending)) === 1;
  }
}

function parseRequest(id: string, json: string | null): MediaRequest {
  if (json === null) return { kind: 'video', images: [] };
  // The cast is safe because only the admission script writes the request.
  return parseTaskJson(id, 'the request', json) as MediaRequest;
}
