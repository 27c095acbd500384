import { isFinal, type MediaCapability, signalWithin, type TimedSignal } from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { ContentStore } from '@sluice/content';
import type { TaskRecord } from '../../store/task-record.ts';
import type { TaskSettings } from '../../store/task-settings.ts';
import type { Move, WokenTask } from '../../store/move.ts';
import type { TaskStore } from '../../store/task-store.ts';
import type { TaskTraces } from '../tracing/task-traces.ts';
import type { WorkerAccounts } from '../accounts/worker-accounts.ts';
import { observedCapability, type WorkerObserver } from './observed-capability.ts';
import type { PolledTasks } from './step-job.ts';
import type { DownloadSlots } from './download-slots.ts';

export interface FetchedInput {
  body: AsyncIterable<Uint8Array>;
  mediaType: string;
}

export interface StepContext {
  store: TaskStore;
  /** The records in other Redis servers. A task there may have claimed a vendor's job. */
  peers: readonly TaskStore[];
  content: ContentStore;
  accounts: Pick<WorkerAccounts, 'capabilityOf'>;
  /** @throws GatewayError if the URL is forbidden or has no image; after any other error, a retry may succeed */
  fetchInput(url: string, signal: AbortSignal): Promise<FetchedInput>;
  wake(tasks: readonly WokenTask[]): void;
  /** Limits downloads, because slow downloads must not block polls. */
  downloads: DownloadSlots;
  polled: PolledTasks;
  settings: TaskSettings;
  observer?: WorkerObserver | undefined;
  /** Undefined unless OpenTelemetry is configured. */
  traces?: TaskTraces | undefined;
  logger: Logger;
  now(): number;
  random(): number;
  /** Aborts when the process must stop without waiting for the step. */
  signal: AbortSignal;
}

export function capabilityOf(
  { accounts, observer, traces }: Pick<StepContext, 'accounts' | 'observer' | 'traces'>,
  record: TaskRecord,
): MediaCapability | undefined {
  const capability = accounts.capabilityOf(record);
  if (!capability || (!observer && !traces)) return capability;
  return observedCapability(capability, record, observer, traces?.of(record.id));
}

/**
 * How a step ends. `parked` means that the task waits for a slot and that its dispatch will wake it. `delayed` means
 * that the step has delayed its job itself.
 */
export type StepEnd =
  | { next: 'again'; record: TaskRecord }
  | { next: 'at'; at: number }
  | { next: 'parked' }
  | { next: 'delayed' }
  | { next: 'done' };

export const DONE: StepEnd = { next: 'done' };

export function resumeAt(at: number): StepEnd {
  return { next: 'at', at };
}

/**
 * Commits a step if its epoch is still current (or if `guard` matches). The task continues at `at` (Unix milliseconds),
 * or immediately if `at` is absent. If the client has canceled the task, the step continues with the new record.
 */
export async function commitStep(
  context: StepContext,
  record: TaskRecord,
  move: Omit<Move, 'epoch'>,
  at?: number,
  guard: Pick<Move, 'epoch' | 'attempt'> = { epoch: record.epoch },
): Promise<StepEnd> {
  const schedule: Move = at === undefined ? move : { ...move, due: at, set: { ...move.set, dueAt: at } };
  const moved = await context.store.move(record.id, { ...guard, ...schedule });
  if (moved.result === 'missing') return DONE;
  context.wake(moved.dispatched);
  if (moved.result === 'fenced') {
    context.logger.warn({ task: record.id, epoch: record.epoch }, 'step of a stale worker fenced');
    return resumeAt(context.now() + context.settings.retryMinMs);
  }
  if (isFinal(moved.record.status)) {
    if (moved.result === 'moved') context.observer?.ended(moved.record, record.status);
    return DONE;
  }
  // The write succeeded, but another worker has claimed the task and continues it.
  if (moved.record.epoch !== record.epoch) return resumeAt(context.now() + context.settings.retryMinMs);
  if (moved.result === 'moved' && at !== undefined && moved.record.upstream === record.upstream) return resumeAt(at);
  return { next: 'again', record: moved.record };
}

/**
 * Returns the time of the next retry in Unix milliseconds. The delay is a backoff with jitter, or the vendor's
 * `retryAfterMs` up to the maximum backoff.
 */
export function retryTime(context: StepContext, setbacks: number, retryAfterMs?: number): number {
  const { retryMinMs, retryMaxMs } = context.settings;
  const pause = Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(setbacks, 16));
  return (
    context.now() +
    Math.max(Math.min(retryAfterMs ?? 0, retryMaxMs), Math.round(pause * (0.85 + 0.3 * context.random())))
  );
}

/** Returns a signal for transfers. It aborts at the task's deadline, or when the process must stop. */
export function untilDeadline(context: StepContext, { deadlineAt }: Pick<TaskRecord, 'deadlineAt'>): TimedSignal {
  return signalWithin(context.signal, deadlineAt - context.now());
}

export function isOverdue(context: StepContext, { deadlineAt }: Pick<TaskRecord, 'deadlineAt'>): boolean {
  return context.now() >= deadlineAt;
}

/** Fails a task that did not finish before its deadline. */
export function failAtDeadline(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  return commitStep(context, record, {
    from: [record.status],
    to: 'failed',
    set: { errorCode: 'deadline_exceeded', errorMessage: 'The task exceeded its deadline. Retry the request.' },
    note: { what: 'end', outcome: 'deadline' },
  });
}
