import { randomBytes } from 'node:crypto';
import type { TaskStatus, VideoRequest } from '@sluice/canonical';
import type { Redis, Result } from 'ioredis';
import { ADMIT_SCRIPT } from './admit-script.ts';
import { DISPATCH_ALL_SCRIPT } from './dispatch-script.ts';
import type { Keyspace } from './keyspace.ts';
import { MOVE_SCRIPT } from './move-script.ts';
import { PURGE_SCRIPT } from './purge-script.ts';
import { LATENESS_BOUNDS_MS } from './task-stats.ts';
import { parseTaskRecord, type TaskRecord } from './task-record.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sluiceAdmit(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceMove(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceDispatchAll(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluicePurge(key: string, ...args: (string | number)[]): Result<number, Context>;
  }
}

/** A change of one task, checked and applied by the move script. */
export interface Move {
  /** States in which the change is allowed. */
  from: readonly TaskStatus[];
  /** The new state; absent: the state stays. */
  to?: TaskStatus;
  /** Only if the record still has this epoch. */
  epoch?: number;
  /** Only if the task is at this account. */
  account?: string;
  /** Only if the record still has this attempt: for a submission's answer, which counts even when it comes late. */
  attempt?: number;
  /** Takes the task for one step: raises the epoch, measures lateness. */
  claim?: boolean;
  /** Fields to write; `undefined` leaves the field alone. */
  set?: Partial<Record<RecordField, string | number | boolean | undefined>>;
  /** When the sweeper is to look after it, Unix milliseconds. */
  due?: number;
  /** A counter of the fleet to raise. */
  count?: 'submissions' | 'unknowns' | 'unclear';
  /** The model's usual running time as now known, milliseconds. */
  usual?: number;
  /** The account is busy: no further submissions for a while, at least as long as it asked for. Milliseconds. */
  rest?: { askedMs: number; minMs: number; maxMs: number };
  /** Puts the task into its account's waiting room. */
  enter?: boolean;
}

/** Fields of a record that a move may write. */
type RecordField =
  | 'progress'
  | 'seconds'
  | 'size'
  | 'deadlineAt'
  | 'errorCode'
  | 'errorMessage'
  | 'contentKey'
  | 'contentBytes'
  | 'contentEtag'
  | 'upstream'
  | 'upstreamModel'
  | 'upstreamBaseUrl'
  | 'upstreamId'
  | 'route'
  | 'attempt'
  | 'submittedAt'
  | 'acceptedAt'
  | 'polledAt'
  | 'polls'
  | 'unclearPolls'
  | 'setbacks'
  | 'usualMs'
  | 'dueAt'
  | 'fingerprint'
  | 'cancelRequested'
  | 'submitToken'
  | 'inputsPending'
  | 'deleted';

/** A task that may go on now, and the account whose queue is to wake it. */
export interface WokenTask {
  account: string;
  id: string;
}

/** What became of a {@link Move}. Only `moved` changed anything; the others carry the record as it is. */
export type MoveResult =
  | { result: 'moved' | 'fenced' | 'refused' | 'taken'; record: TaskRecord; dispatched: WokenTask[] }
  | { result: 'missing' };

/** What admission needs beside the record's fields. */
export interface Admission {
  id: string;
  ownerId: string;
  account: string;
  digest: string;
  idempotencyKey?: string;
  operation: string;
  retryCount: number;
  request: VideoRequest;
  deadlineAt: number;
  /** Whether pictures are to be fetched before the task waits for a place. */
  fetchesInputs: boolean;
  fields: Record<string, string | number>;
}

/** How an {@link Admission} ended. */
export type AdmissionResult =
  | { result: 'new'; dispatched: WokenTask[] }
  | { result: 'replay'; id: string }
  | { result: 'conflict' };

const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
const RECENT_LIFE_MS = 10 * 60_000;
const RESEND_MS = 250;

/** What the records' lives depend on, in milliseconds. */
export interface TaskStoreOptions {
  now: () => number;
  retentionMs: number;
  submitUnknownMs: number;
  /** How often a change that the connection lost is sent again; a worker's step survives an outage by it. Default 0. */
  resends?: number;
}

/** The records in Redis. Every method costs one round trip. */
export class TaskStore {
  readonly #redis: Redis;
  readonly #keys: Keyspace;
  readonly #now: () => number;
  readonly #retentionMs: number;
  readonly #printLifeMs: number;
  readonly #process = randomBytes(6).toString('base64url');
  readonly #resends: number;
  #operations = 0;

  constructor(redis: Redis, keys: Keyspace, options: TaskStoreOptions) {
    this.#redis = redis;
    this.#keys = keys;
    this.#now = options.now;
    this.#retentionMs = options.retentionMs;
    this.#printLifeMs = 3 * options.submitUnknownMs;
    this.#resends = options.resends ?? 0;
    redis.defineCommand('sluiceAdmit', { numberOfKeys: 1, lua: ADMIT_SCRIPT });
    redis.defineCommand('sluiceMove', { numberOfKeys: 1, lua: MOVE_SCRIPT });
    redis.defineCommand('sluiceDispatchAll', { numberOfKeys: 1, lua: DISPATCH_ALL_SCRIPT });
    redis.defineCommand('sluicePurge', { numberOfKeys: 1, lua: PURGE_SCRIPT });
  }

  /** Records a new task, or finds the one that an earlier request made. */
  async admit(admission: Admission): Promise<AdmissionResult> {
    const { ownerId, operation, idempotencyKey } = admission;
    const [result, ...rest] = await this.#redis.sluiceAdmit(
      this.#keys.task(admission.id),
      this.#keys.prefix,
      this.#now(),
      admission.id,
      ownerId,
      admission.account,
      admission.digest,
      idempotencyKey === undefined ? '' : this.#keys.idempotency(ownerId, operation, idempotencyKey),
      this.#keys.recent(ownerId, operation, admission.digest),
      admission.retryCount,
      IDEMPOTENCY_LIFE_MS,
      RECENT_LIFE_MS,
      JSON.stringify(admission.request),
      admission.deadlineAt,
      admission.fetchesInputs ? 1 : 0,
      ...Object.entries(admission.fields).flat(),
    );
    if (result === 'new') return { result, dispatched: rest.map(parseWoken) };
    if (result === 'replay') return { result, id: rest[0] ?? '' };
    return { result: 'conflict' };
  }

  /** Applies a {@link Move}, or says why not. */
  async move(id: string, move: Move): Promise<MoveResult> {
    const set: Record<string, string> = {};
    for (const [field, value] of Object.entries(move.set ?? {})) {
      if (value !== undefined) set[field] = typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
    }
    const operation = `${this.#process}${(this.#operations++).toString(36)}`;
    const send = () =>
      this.#redis.sluiceMove(
        this.#keys.task(id),
        this.#keys.prefix,
        this.#now(),
        id,
        operation,
        JSON.stringify({
          ...move,
          claim: move.claim ? LATENESS_BOUNDS_MS : undefined,
          set,
          retentionMs: this.#retentionMs,
          claimLifeMs: this.#retentionMs,
          printLifeMs: this.#printLifeMs,
        }),
      );
    const [result, dispatched, ...record] = await this.#persist(send);
    if (result !== 'moved' && result !== 'fenced' && result !== 'refused' && result !== 'taken') {
      return { result: 'missing' };
    }
    return {
      result,
      record: parseTaskRecord(record),
      dispatched: (dispatched ?? '').split(' ').filter(Boolean).map(parseWoken),
    };
  }

  /** Sends again what the connection lost: the operation's id makes sure that it counts once. */
  async #persist<T>(send: () => Promise<T>): Promise<T> {
    for (let resends = 0; ; resends++) {
      try {
        return await send();
      } catch (error) {
        const isAnswer = error instanceof Error && error.name === 'ReplyError';
        if (isAnswer || resends >= this.#resends) throw error;
        await new Promise((resolve) => setTimeout(resolve, RESEND_MS));
      }
    }
  }

  /** Reads a record and, with it, the prompt for display. */
  async load(id: string): Promise<TaskRecord | undefined> {
    return (await this.loadMany([id]))[0];
  }

  /** Reads several records; those that are gone are left out. */
  async loadMany(ids: readonly string[]): Promise<TaskRecord[]> {
    const found = await Promise.all(
      ids.map(async (id) => {
        const [fields, request] = await Promise.all([
          this.#redis.hgetall(this.#keys.task(id)),
          this.#redis.get(this.#keys.request(id)),
        ]);
        if (!fields['status']) return undefined;
        const record = parseTaskRecord(Object.entries(fields).flat());
        const { prompt } = parseRequest(request);
        return prompt === undefined ? record : { ...record, prompt };
      }),
    );
    return found.filter((record) => record !== undefined);
  }

  /** Reads what the client asked for. */
  async loadRequest(id: string): Promise<VideoRequest> {
    return parseRequest(await this.#redis.get(this.#keys.request(id)));
  }

  /** Replaces what the client asked for: after its picture URLs were fetched into the content store. */
  async saveRequest(id: string, request: VideoRequest): Promise<void> {
    await this.#redis.set(this.#keys.request(id), JSON.stringify(request), 'XX');
  }

  /** Of several vendor jobs, tells those that no task has claimed. */
  async unclaimed(account: string, upstreamIds: readonly string[]): Promise<string[]> {
    const holders = await Promise.all(upstreamIds.map((id) => this.#redis.get(this.#keys.claimed(account, id))));
    return upstreamIds.filter((_, index) => holders[index] === null);
  }

  /** How many open submissions of this account ask for the same. */
  async openTwins(account: string, fingerprint: string): Promise<number> {
    return this.#redis.scard(this.#keys.fingerprint(account, fingerprint));
  }

  /** The model's usual running time, milliseconds, once some have finished. */
  async usualMs(model: string): Promise<number | undefined> {
    const usual = await this.#redis.hget(this.#keys.usual, model);
    return usual === null ? undefined : Number(usual);
  }

  /** Tells the scripts how much the accounts take. */
  async saveCaps(caps: Record<string, { maxInFlight?: number; maxSubmitting: number }>): Promise<void> {
    for (const [account, cap] of Object.entries(caps)) {
      await this.#redis.hset(this.#keys.caps, `${account}:submitting`, cap.maxSubmitting);
      if (cap.maxInFlight === undefined) await this.#redis.hdel(this.#keys.caps, `${account}:in_flight`);
      else await this.#redis.hset(this.#keys.caps, `${account}:in_flight`, cap.maxInFlight);
    }
  }

  /** Lets waiting tasks out wherever there is room; answers who is out. */
  async dispatchAll(accounts: readonly string[]): Promise<WokenTask[]> {
    const woken = await this.#redis.sluiceDispatchAll(this.#keys.due, this.#keys.prefix, this.#now(), ...accounts);
    return woken.map(parseWoken);
  }

  /** Clears away a final task; answers false when it is not final. */
  async purge(id: string): Promise<boolean> {
    return (await this.#redis.sluicePurge(this.#keys.task(id), this.#keys.prefix, id)) === 1;
  }
}

function parseRequest(json: string | null): VideoRequest {
  return json === null ? { images: [] } : (JSON.parse(json) as VideoRequest); // written by admit alone
}

function parseWoken(text: string): WokenTask {
  const slash = text.indexOf('/');
  return { account: text.slice(0, slash), id: text.slice(slash + 1) };
}
