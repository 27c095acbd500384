import { idempotencyKeyReused } from '@sluice/canonical';
import type { DueCharge } from '@sluice/limits';
import { hashOf } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import { packJson } from '../records/packed-json.ts';
import type { StoredItems } from '../records/stored-items.ts';
import type { StoredResponse } from '../records/stored-response.ts';
import { textKey, textPrefix } from '../records/response-keys.ts';
import { defineJobScripts } from './job-scripts.ts';
import type { JobClaim, JobKind, NewPoll, NewRun, Repetition, ResponseEnd, ResponseJob } from './response-job.ts';

export interface ResponseJobsOptions {
  redis: Redis;
  /** The value of `redis.prefix` in the configuration. */
  prefix: string;
  items: Pick<StoredItems, 'pack' | 'keysOf'>;
  retentionMs: number;
  /** Maximum size of the log of a response's events. */
  logBytes: number;
}

/** Result of ending a response for a client. */
export interface ClientEnd {
  /** Whether this call has ended or removed it. */
  isDone: boolean;
  /** Set if no upstream was called, so that the caller must release what was reserved. */
  admission?: string;
}

const REPETITION_MS = 24 * 3_600_000;

type Owned = Pick<StoredResponse, 'owner' | 'id'>;

/** Background responses that wait for a worker, or that a worker runs or polls. All state is in Redis. */
export class ResponseJobs {
  readonly #options: ResponseJobsOptions;
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #repetitionKey: (owner: string, key: string) => string;

  constructor(options: ResponseJobsOptions) {
    this.#options = options;
    this.#redis = options.redis;
    this.#prefix = textPrefix(options.prefix);
    this.#repetitionKey = textKey(options.prefix, 'repetition');
    defineJobScripts(options.redis);
  }

  /**
   * Stores a response that a worker will run.
   * @returns its id; the id of an earlier response, and nothing is stored, if the request repeats one
   * @throws GatewayError `idempotency_key_reused` for the key of another request
   */
  async createRun(record: StoredResponse, run: NewRun): Promise<string> {
    const { body, headers, admission, ...more } = run;
    const fields = { body: Buffer.from(body), headers: JSON.stringify(headers), admission };
    const [result, id] = await this.#create('run', record, { ...more, delayMs: 0, fields });
    if (result === 'conflict') throw idempotencyKeyReused();
    return id ?? record.id;
  }

  /**
   * Returns the id of the response that an earlier request with the same idempotency key has created, if it is stored.
   * @throws GatewayError `idempotency_key_reused` for the key of another request
   */
  async findRepeated(owner: string, { key, digest }: Repetition): Promise<string | undefined> {
    const [id, known] = await this.#redis.hmget(this.#repetitionKey(owner, key), 'id', 'digest');
    if (!id || (await this.#redis.exists(`${this.#prefix}response:${hashOf(owner, id)}`)) === 0) return undefined;
    if (known !== digest) throw idempotencyKeyReused();
    return id;
  }

  /** Stores a response that its vendor generates. @returns false if the response is already stored */
  async createPoll(record: StoredResponse, { unknown, ...more }: NewPoll): Promise<boolean> {
    const [result] = await this.#create('poll', record, { ...more, events: [], fields: { unknown } });
    return result === 'created';
  }

  async #create(
    kind: JobKind,
    record: StoredResponse,
    more: NewPoll &
      Pick<NewRun, 'events' | 'repetition'> & { fields: Readonly<Record<string, string | Buffer | undefined>> },
  ): ReturnType<Redis['responsesCreateJob']> {
    const { owner, id } = record;
    const { createdAt, delayMs, events, fields, repetition, reservationId = '' } = more;
    const { key, digest = '' } = repetition ?? {};
    const once = [key === undefined ? '' : this.#repetitionKey(owner, key), digest, REPETITION_MS];
    const stored = [this.#options.retentionMs, await packJson(record), events.length, events.join('')];
    const entries = Object.entries({ owner, createdAt, ...fields });
    const given = entries.flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
    const args = [kind, delayMs, ...stored, ...once, id, reservationId, ...given];
    return this.#redis.responsesCreateJob(this.#prefix, hashOf(owner, id), ...args);
  }

  /** Claims due jobs. Unless the claims are renewed, other workers claim the jobs after `leaseMs`. */
  async claim(kind: JobKind, leaseMs: number, limit: number): Promise<ResponseJob[]> {
    const flat = await this.#redis.responsesClaimJobs(this.#prefix, kind, leaseMs, limit);
    const claims = flat.flatMap((ref, at) => (at % 2 === 0 ? [{ ref: String(ref), epoch: Number(flat[at + 1]) }] : []));
    const jobs = await Promise.all(claims.map((claim) => this.#read(claim)));
    return jobs.filter((job) => job !== undefined);
  }

  /** Reads a claimed job. Undefined if a client has ended it. */
  async #read(claim: JobClaim): Promise<ResponseJob | undefined> {
    const fields = await this.#redis.hgetallBuffer(this.#jobKey(claim.ref));
    const text = (name: string): string | undefined => fields[name]?.toString();
    const [owner, id] = [text('owner'), text('id')];
    if (owner === undefined || id === undefined) return undefined;
    const [admission, unknown, charge] = [text('admission'), text('unknown'), text('charge')];
    return {
      ...claim,
      owner,
      id,
      // The casts are safe because only the scripts and `createRun` write these fields.
      state: text('state') as ResponseJob['state'],
      headers: JSON.parse(text('headers') ?? '{}') as ResponseJob['headers'],
      createdAt: Number(text('createdAt')),
      body: fields['body'] ?? Buffer.alloc(0),
      ...(admission !== undefined && { admission }),
      ...(unknown !== undefined && { unknown }),
      ...(charge !== undefined && { charge }),
    };
  }

  /**
   * Moves the time at which another worker may claim the job.
   * @returns `lost` if another worker has claimed it, or `gone` if a client has ended the response
   */
  renew({ ref, epoch }: JobClaim, delayMs: number): Promise<'renewed' | 'lost' | 'gone'> {
    return this.#redis.responsesRenewJob(this.#prefix, ref, epoch, delayMs);
  }

  /** Records that the worker is about to call an upstream. @returns false if it has lost the job */
  async begin({ ref, epoch }: JobClaim, record: StoredResponse): Promise<boolean> {
    const args = [epoch, await packJson(record), this.#options.retentionMs];
    return (await this.#redis.responsesBeginRun(this.#prefix, ref, ...args)) === 1;
  }

  /**
   * Appends events to the log.
   * @param first the number of the first one; the others follow
   * @returns false if the worker has lost the job
   */
  async append({ ref, epoch }: JobClaim, first: number, events: readonly string[]): Promise<boolean> {
    const { logBytes, retentionMs } = this.#options;
    const args = [epoch, first, first + events.length - 1, events.join(''), logBytes, retentionMs];
    return (await this.#redis.responsesAppendEvents(this.#prefix, ref, ...args)) === 1;
  }

  /** Ends a response. @returns false if the worker has lost the job */
  async end({ ref, epoch, owner, id }: JobClaim & Owned, end: ResponseEnd): Promise<boolean> {
    const [isEnded] = await this.#end(ref, String(epoch), { owner, id }, end);
    return isEnded === 1;
  }

  /** Ends a response for a client, e.g. because it is canceled. */
  async endForClient({ owner, id }: Owned, end: ResponseEnd): Promise<ClientEnd> {
    return clientEnd(await this.#end(hashOf(owner, id), '', { owner, id }, end));
  }

  async #end(
    ref: string,
    epoch: string,
    { owner, id }: Owned,
    { record, event, webhook, charge = '', leaseMs = 0 }: ResponseEnd,
  ): Promise<[number, string?]> {
    // One after the other, because a large response is encoded in both.
    const packed = record ? await packJson(record) : '';
    const items = record ? await this.#options.items.pack(record) : [];
    const last = [event?.type ?? '', event?.members ?? ''];
    const args = [epoch, packed, this.#options.retentionMs, ...last, webhook ?? '', owner, id, charge, leaseMs];
    return this.#redis.responsesEnd(this.#prefix, ref, ...args, ...items.flat());
  }

  /** Returns what to charge if the end of a response at its vendor stays unknown. Undefined after it has ended. */
  async unknownOf({ owner, id }: Owned): Promise<string | undefined> {
    const [state, unknown] = await this.#redis.hmget(this.#jobKey(hashOf(owner, id)), 'state', 'unknown');
    return state === 'ended' ? undefined : (unknown ?? undefined);
  }

  /** Identifies the charge of an ended response, so that it is charged once, and taken from the reservation of its job. */
  dueCharge({ ref }: Pick<JobClaim, 'ref'>): DueCharge {
    const key = this.#jobKey(ref);
    return { key, field: 'charge', record: key };
  }

  /** Removes a job without a change to its response. */
  async drop({ ref, epoch }: JobClaim): Promise<void> {
    await this.#redis.responsesDropJob(this.#prefix, ref, epoch);
  }

  /** Like `dueCharge`, for a client. */
  dueChargeOf({ owner, id }: Owned): DueCharge {
    return this.dueCharge({ ref: hashOf(owner, id) });
  }

  /** Like `drop`, for a client. */
  async dropForClient({ owner, id }: Owned): Promise<void> {
    await this.#redis.responsesDropJob(this.#prefix, hashOf(owner, id), '');
  }

  #jobKey(ref: string): string {
    return `${this.#prefix}job:${ref}`;
  }

  /** Removes a response with its items, its job, and its log. */
  async remove(record: StoredResponse): Promise<ClientEnd> {
    const keys = this.#options.items.keysOf(record);
    return clientEnd(await this.#redis.responsesRemove(this.#prefix, hashOf(record.owner, record.id), ...keys));
  }
}

function clientEnd([isDone, admission = '']: [number, string?]): ClientEnd {
  return { isDone: isDone === 1, ...(admission !== '' && { admission }) };
}
