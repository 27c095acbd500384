import type { MediaRequest } from '@sluice/canonical';
import type { BudgetBalance } from '@sluice/limits';
import { redisJson } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { parseWoken, type WokenTask } from './move.ts';
import type { NewInputs } from './stored-inputs.ts';

/** An owner's limits. */
export interface TaskAllowance {
  openTasks?: number | undefined;
  /** Maximum number of tasks running at vendors, across all accounts. */
  concurrentTasks?: number | undefined;
  budget?: { nanos: number; period: 'day' | 'month' | 'total' } | undefined;
}

/** The arguments of the admission script and the fields of the record. */
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
  /** Whether input images must be fetched before the task enters the admission queue. */
  fetchesInputs: boolean;
  inputs: NewInputs;
  externalId?: string;
  allowance?: TaskAllowance;
  /** The amount to reserve in the owner's budget until the task ends. If omitted, no price is known. */
  maxNanos?: number;
  /** Hashes of the user and the labels; see {@link Keyspace.tag}. */
  tags?: readonly string[];
  fields: Record<string, string | number>;
}

export type AdmissionResult =
  | { result: 'new'; unusedInputs: string[]; dispatched: WokenTask[] }
  | { result: 'replay'; id: string }
  | { result: 'conflict' }
  | { result: 'external_id_taken' | 'open_task_limit' }
  | { result: 'over_budget'; balance: BudgetBalance };

const IDEMPOTENCY_LIFE_MS = 24 * 3_600_000;
const RECENT_LIFE_MS = 10 * 60_000;

/** Records a new task, or returns the task of an earlier identical request. */
export async function admitTask(
  redis: Redis,
  keys: Keyspace,
  now: number,
  admission: Admission,
): Promise<AdmissionResult> {
  const { ownerId, operation, idempotencyKey, externalId, maxNanos, tags, inputs } = admission;
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
    redisJson({ ...admission.allowance, maxNanos, tags, inputs }),
    ...Object.entries(admission.fields).flat(),
  );
  if (result === 'new') {
    const [unused = '', ...dispatched] = rest;
    return { result, unusedInputs: unused.split(' ').filter(Boolean), dispatched: dispatched.map(parseWoken) };
  }
  if (result === 'replay') return { result, id: rest[0] ?? '' };
  if (result === 'over_budget') return { result, balance: { remaining: Number(rest[0]), reserved: Number(rest[1]) } };
  if (result === 'external_id_taken' || result === 'open_task_limit') return { result };
  return { result: 'conflict' };
}
