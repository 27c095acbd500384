import {
  TASK_STATUSES,
  type JobOutput,
  type MediaTask,
  type TaskErrorCode,
  type TaskOutput,
  type TaskStatus,
  TASK_ERROR_CODES,
} from '@sluice/canonical';
import { DamagedTaskError } from './damaged-task-error.ts';

/** One place that can serve a model: an upstream account and the model's name there. */
export interface TaskTarget {
  upstream: string;
  model: string;
}

/** What the engine keeps in a record beyond what clients may come to see. */
export interface TaskRecord extends MediaTask {
  /** The model's routes as they were when the task was made, best first. */
  targets: TaskTarget[];
  /** What the vendor has made and is still to be fetched; absent: one file that the job itself leads to. */
  jobOutputs?: JobOutput[];
  /** Whether the job was given to the task by an operator. */
  adopted: boolean;
  /** Whether the upstream has said how long the film is, or will be; else the file tells. */
  lengthTold: boolean;
  /** The account that the current attempt was sent to: another base URL or credential is another. */
  upstreamAccount?: string;
  /** Until when an operator lets it wait to be submitted again, Unix milliseconds. */
  waitUntil?: number;
  /** When the outcome of the current attempt became unknown, Unix milliseconds. */
  unknownAt?: number;
  /** How often in a row a finished file was refused. */
  denials: number;
  /** Whether pictures named by URL are still to be fetched. */
  inputsPending: boolean;
  /** Marks the step that wrote the intent of the current attempt: that step alone may send the submission. */
  submitToken?: string;
  /** Whether the task has been let out of the waiting room. */
  dispatched: boolean;
  /** Definite refusals and failed downloads since the last step forward; paces the next try. */
  setbacks: number;
  /** Usual running time of the model when this task was accepted, milliseconds. */
  usualMs?: number;
}

const statuses: ReadonlySet<string> = new Set(TASK_STATUSES);
const errorCodes: ReadonlySet<string> = new Set(TASK_ERROR_CODES);

/** The vendor's account that has the task's jobs: two upstreams may lead to the same. */
export function vendorAccountOf({ upstream, upstreamAccount }: TaskRecord): string {
  return upstreamAccount ?? upstream;
}

/**
 * Reads a record from Redis' flat list of fields and values.
 * @throws DamagedTaskError when it is not a task record
 */
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
    if (value === '' || !Number.isFinite(Number(value))) throw new DamagedTaskError(id, `${name} is no number`);
    return Number(value);
  };
  const optional = (name: string): number | undefined => (fields[name] ? number(name) : undefined);
  const json = (name: string): unknown => parseTaskJson(id, name, text(name));

  // What is JSON in a record was written by the engine alone.
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
    origin: fields['origin'],
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
  };
  const code = fields['errorCode'];
  if (code) record.error = { code: parseErrorCode(code), message: fields['errorMessage'] ?? '' };
  const callbackUrl = fields['callbackUrl'];
  if (callbackUrl) {
    record.callback = { url: callbackUrl, shape: fields['callbackShape'] === 'provider-a' ? 'provider-a' : 'event' };
  }
  if (fields['jobOutputs']) record.jobOutputs = json('jobOutputs') as JobOutput[];
  return record;
}

/**
 * Parses what is kept of a task as JSON.
 * @throws DamagedTaskError when it is none
 */
export function parseTaskJson(id: string, name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DamagedTaskError(id, `${name} is no JSON`, cause);
  }
}

function parseStatus(id: string, text: string): TaskStatus {
  if (!statuses.has(text)) throw new DamagedTaskError(id, 'status is none that a task can have');
  return text as TaskStatus; // checked against the list in the line above
}

function parseErrorCode(text: string): TaskErrorCode {
  return errorCodes.has(text) ? (text as TaskErrorCode) : 'provider_error'; // checked against the list
}
