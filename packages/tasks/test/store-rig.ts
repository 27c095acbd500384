import { randomBytes } from 'node:crypto';
import type { InputImage } from '@sluice/canonical';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { createKeyspace, type Keyspace } from '../src/store/keyspace.ts';
import { newInputs } from '../src/store/stored-inputs.ts';
import type { TaskAllowance } from '../src/store/admission.ts';
import type { Move } from '../src/store/move.ts';
import { newTaskId } from '../src/store/task-id.ts';
import { priceFields, requestedNanos, type TaskPrice } from '../src/store/task-price.ts';
import type { TaskRecord } from '../src/store/task-record.ts';
import { TaskStore } from '../src/store/task-store.ts';

export interface AdmissionParams {
  owner?: string;
  account?: string;
  key?: string;
  digest?: string;
  retryCount?: number;
  kind?: 'image' | 'video';
  allowance?: TaskAllowance;
  price?: TaskPrice | undefined;
  priority?: number;
  tags?: readonly string[];
  images?: InputImage[];
  /** The amount to reserve. Default: the cost of the requested units. */
  maxNanos?: number | undefined;
}

export const INPUT_LIFE = { queueDeadlineMs: 60_000, submitUnknownMs: 1_000, retentionMs: 1_000 };

/** Seconds of every video, and images of every image task. */
export const UNITS = 4;

/** The task store on the test run's Redis, with a separate key prefix and a clock that advances with each admission. */
export class StoreRig {
  readonly redis: Redis;
  readonly keys: Keyspace;
  readonly store: TaskStore;
  clock = 1_800_000_000_000;
  #digests = 0;

  constructor() {
    const { redisUrl, prefix } = testRedis();
    this.redis = openRedis(redisUrl);
    this.keys = createKeyspace(prefix);
    this.store = new TaskStore(this.redis, this.keys, {
      now: () => this.clock,
      retentionMs: 1_000,
      submitUnknownMs: 1_000,
      maxLedgerEntries: 1_000_000,
    });
  }

  close(): void {
    this.redis.disconnect();
  }

  admit(params: AdmissionParams = {}) {
    const { owner = 'owner', account = 'acme', key, digest, retryCount = 0, kind = 'video', allowance, price } = params;
    const { images = [] } = params;
    const maxNanos = params.maxNanos ?? (price && requestedNanos(price, UNITS));
    this.clock += 1;
    const id = newTaskId(kind, this.clock, randomBytes);
    const fields = {
      id,
      ownerId: owner,
      status: 'queued',
      revision: 1,
      epoch: 0,
      model: 'video-model',
      progress: 0,
      seconds: '4',
      createdAt: this.clock,
      deadlineAt: this.clock + 60_000,
      upstream: account,
      route: 0,
      upstreamModel: 'm',
      attempt: 0,
      polls: 0,
      unclearPolls: 0,
      setbacks: 0,
      kind,
      targets: '[]',
      units: UNITS,
      ...(price && priceFields(price)),
      ...(params.priority !== undefined && { priority: params.priority }),
      ...(params.tags && { tags: params.tags.join(' ') }),
    };
    const admission = {
      id,
      ownerId: owner,
      account,
      digest: digest ?? `digest-${(this.#digests += 1)}`,
      ...(key !== undefined && { idempotencyKey: key }),
      operation: 'video.create',
      retryCount,
      request: { kind: 'video' as const, prompt: 'a boat', images },
      inputs: newInputs(this.keys, owner, images, INPUT_LIFE),
      deadlineAt: this.clock + 60_000,
      fetchesInputs: false,
      fields,
      ...(params.tags && { tags: params.tags }),
      ...(allowance && { allowance }),
      ...(maxNanos !== undefined && { maxNanos }),
    };
    return { id, admission, response: this.store.admit(admission) };
  }

  async admitted(params?: AdmissionParams): Promise<string> {
    const { id, response } = this.admit(params);
    await response;
    return id;
  }

  /** @throws Error if the move is refused */
  async moved(id: string, move: Move): Promise<TaskRecord> {
    const result = await this.store.move(id, move);
    if (result.result !== 'moved') throw new Error(result.result);
    return result.record;
  }

  submitting(id: string, set: Move['set'] = {}): Promise<TaskRecord> {
    return this.moved(id, { from: ['queued'], to: 'submitting', set: { attempt: 1, ...set } });
  }

  async running(id: string, upstreamId = `up-${id}`): Promise<TaskRecord> {
    await this.submitting(id);
    return this.moved(id, { from: ['submitting'], to: 'in_progress', set: { upstreamId, progress: 1 } });
  }

  /** Returns the ids of tasks with a slot at an account. */
  async slots(which: 'in_flight' | 'submitting', account = 'acme'): Promise<string[]> {
    return this.redis.smembers(`${this.keys.prefix}${which}:${account}`);
  }
}
