import {
  TASK_STATUSES,
  type JobOutput,
  type MediaTask,
  type TaskErrorCode,
  type TaskOutput,
  type TaskStatus,
  TASK_ERROR_CODES,
} from '@sluice/canonical';
import type { TaskPrice } from './task-price.ts';
import { DamagedTaskError } from './damaged-task-error.ts';

/** An upstream account and the model's name at that upstream. */
export interface TaskTarget {
  upstream: string;
  model: string;
  /** If omitted, the price is unknown. */
  price?: TaskPrice | undefined;
}

/** A task with the fields that clients never see. */
export interface TaskRecord extends MediaTask {
  targets: TaskTarget[];
  /** Outputs to fetch. If absent, the job has a single file. */
  jobOutputs?: JobOutput[];
  adopted: boolean;
  /** Whether the upstream reported the video's duration. If not, Sluice measures it in the file. */
  lengthTold: boolean;
  /** The vendor account of the current attempt, identified by base URL and credential. */
  upstreamAccount?: string;
  /** When the wait after an operator's resubmission ends, in Unix milliseconds. */
  waitUntil?: number;
  /** When the current attempt's outcome became unknown, in Unix milliseconds. */
  unknownAt?: number;
  /** How often the vendor has refused to serve the finished file. */
  denials: number;
  inputsPending: boolean;
  /** Token of the step that recorded the start of the attempt. Only that step may send the submission. */
  submitToken?: string;
  dispatched: boolean;
  /** Vendor refusals and failed downloads since the last progress. They determine the backoff. */
  setbacks: number;
  usualMs?: number;
}

const statuses: ReadonlySet<string> = new Set(TASK_STATUSES);
const errorCodes: ReadonlySet<string> = new Set(TASK_ERROR_CODES);

/** Returns the vendor account that runs the task's jobs. Two upstreams may share an account. */
export function vendorAccountOf({ upstream, upstreamAccount }: TaskRecord): string {
  return upstreamAccount ?? upstream;
}

/** Parses a record from the flat list of fields and values that Redis returns. @throws DamagedTaskError */
export function parseTaskRecord(id: string, flat: readonly string[]): TaskRecord {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2) fields[flat[i] ?? ''] = flat[i + 1] ?? '';

  const text = (name: string): string => {
    const value = fields[name];
    if (value === undefined) throw new DamagedTaskError(id, `${name} is missing`);
    return value;
  };
  const number = (name: string): number => {
    const value = text(name);
    if (value === '' || !Number.isFinite(Number(value))) throw new DamagedTaskError(id, `${name} is not a number`);
    return Number(value);
  };
  const optional = (name: string): number | undefined => (fields[name] ? number(name) : undefined);
  const json = (name: string): unknown => parseTaskJson(id, name, text(name));

  const record: TaskRecord = {
    id: text('id'),
    kind: text('kind') === 'image' ? 'image' : 'video',
    ownerId: text('ownerId'),
    status: parseStatus(id, text('status')),
    revision: number('revision'),
    epoch: number('epoch'),
    model: text('model'),
    progress: number('progress'),
    seconds: text('seconds'),
    createdAt: number('createdAt'),
    deadlineAt: number('deadlineAt'),
    upstream: text('upstream'),
    route: number('route'),
    upstreamModel: text('upstreamModel'),
    attempt: number('attempt'),
    polls: number('polls'),
    unclearPolls: number('unclearPolls'),
    setbacks: number('setbacks'),
    lengthTold: fields['lengthTold'] === '1',
    inputsPending: fields['inputsPending'] === '1',
    dispatched: fields['dispatched'] === '1',
    cancelRequested: fields['cancelRequested'] === '1',
    deleted: fields['deleted'] === '1',
    size: fields['size'],
    upstreamBaseUrl: fields['upstreamBaseUrl'],
    upstreamId: fields['upstreamId'],
    upstreamPath: fields['upstreamPath'] || undefined,
    adopted: fields['adopted'] === '1',
    upstreamAccount: fields['upstreamAccount'],
    waitUntil: optional('waitUntil'),
    unknownAt: optional('unknownAt'),
    denials: optional('denials') ?? 0,
    externalId: fields['externalId'],
    remixedFrom: fields['remixedFrom'],
    user: fields['user'],
    priority: optional('priority') || undefined,
    paused: fields['paused'] === '1' && fields['status'] === 'queued' ? true : undefined,
    waitingReason: fields['waitingReason'] ? 'storage_unavailable' : undefined,
    origin: fields['origin'],
    trace: fields['trace'],
    seed: optional('seed'),
    targets: json('targets') as TaskTarget[],
    outputs: fields['outputs'] ? (json('outputs') as TaskOutput[]) : [],
    submitToken: fields['submitToken'],
    completedAt: optional('completedAt'),
    expiresAt: optional('expiresAt'),
    submittedAt: optional('submittedAt'),
    acceptedAt: optional('acceptedAt'),
    polledAt: optional('polledAt'),
    dueAt: optional('dueAt'),
    usualMs: optional('usualMs'),
    costNanos: optional('costNanos'),
    unpriced: fields['unpriced'] === '1' ? true : undefined,
  };
  addObjects(record, fields);
  return record;
}

/** Adds the members that are objects, and are absent unless they are set. @throws DamagedTaskError */
function addObjects(record: TaskRecord, fields: Readonly<Record<string, string>>): void {
  const json = (name: string): unknown => parseTaskJson(record.id, name, fields[name] ?? '');
  const code = fields['errorCode'];
  if (code) record.error = { code: parseErrorCode(code), message: fields['errorMessage'] ?? '' };
  const callbackUrl = fields['callbackUrl'];
  if (callbackUrl) {
    record.callback = { url: callbackUrl, shape: fields['callbackShape'] === 'provider-a' ? 'provider-a' : 'event' };
  }
  if (fields['jobOutputs']) record.jobOutputs = json('jobOutputs') as JobOutput[];
  if (fields['labels']) record.labels = json('labels') as Record<string, string>;
}

/** @throws DamagedTaskError */
export function parseTaskJson(id: string, name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedTaskError(id, `${name} is not JSON`, cause);
  }
}

function parseStatus(id: string, text: string): TaskStatus {
  if (!statuses.has(text)) throw new DamagedTaskError(id, 'status is invalid');
  return text as TaskStatus; // The cast is safe because the previous line checks the value.
}

function parseErrorCode(text: string): TaskErrorCode {
  // The cast is safe because the condition checks the value.
  return errorCodes.has(text) ? (text as TaskErrorCode) : 'provider_error';
}
