import type { MediaRequest } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { parseWoken, type WokenTask } from './move.ts';
import { redisJson } from './redis-json.ts';

/** Limits of an owner, and the price of the task to be admitted. */
export interface TaskAllowance {
  /** Maximum of unfinished tasks. */
  openTasks?: number | undefined;
  /** Maximum of tasks at vendors, over all accounts. */
  concurrentTasks?: number | undefined;
  budget?: { nanos: number; period: 'day' | 'month' | 'total' } | undefined;
  price?: TaskPrice | undefined;
}

/** Price of a task in nano-dollars. */
export interface TaskPrice {
  /** Reserved until the task has ended. */
  maxNanos: number;
  /** For the task itself. */
  taskNanos: number;
  /** For each image, or each second of video. */
  unitNanos: number;
}

/** Input of an admission beside the record's fields. */
export interface Admission {
  id: string;
  ownerId: string;
  account: string;
  digest: string;
  idempotencyKey?: string;
  operation: string;
  retryCount: number;
  request: MediaRequest;
  deadlineAt: number;
  /** Whether input images are to be fetched before the task enters the admission queue. */
  fetchesInputs: boolean;
  /** The client's own id of the task. */
  externalId?: string;
  allowance?: TaskAllowance;
  fields: Record<string, string | number>;
}

/** Result of an {@link Admission}. */
export type AdmissionResult =
  | { result: 'new'; dispatched: WokenTask[] }
  | { result: 'replay'; id: string }
  | { result: 'conflict' }
  /** Another task of the owner has the external id. */
  | { result: 'named' }
  /** The owner has its maximum of unfinished tasks. */
  | { result: 'full' }
  /** The owner's budget does not cover the task. */
  | { result: 'unpaid' };

const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
const RECENT_LIFE_MS = 10 * 60_000;

/** Records a new task, or finds the task of an earlier request. @param redis a connection with the task scripts */
export async function admitTask(
  redis: Redis,
  keys: Keyspace,
  now: number,
  admission: Admission,
): Promise<AdmissionResult> {
  const { ownerId, operation, idempotencyKey, externalId } = admission;
  const [result, ...rest] = await redis.sluiceAdmit(
    keys.task(admission.id),
    keys.prefix,
    now,
    admission.id,
    ownerId,
    admission.account,
    admission.digest,
    idempotencyKey === undefined ? '' : keys.idempotency(ownerId, operation, idempotencyKey),
    keys.recent(ownerId, operation, admission.digest),
    admission.retryCount,
    IDEMPOTENCY_LIFE_MS,
    RECENT_LIFE_MS,
    JSON.stringify(admission.request),
    admission.deadlineAt,
    admission.fetchesInputs ? 1 : 0,
    externalId === undefined ? '' : keys.external(ownerId, externalId),
    redisJson(admission.allowance ?? {}),
    ...Object.entries(admission.fields).flat(),
  );
  if (result === 'new') return { result, dispatched: rest.map(parseWoken) };
  if (result === 'replay') return { result, id: rest[0] ?? '' };
  if (result === 'named' || result === 'full' || result === 'unpaid') return { result };
  return { result: 'conflict' };
}
