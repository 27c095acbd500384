import {
  isFinal,
  type MediaCapabilities,
  type MediaCapability,
  signalWithin,
  type TimedSignal,
} from '@sluice/canonical';
import type { Logger } from '@sluice/telemetry';
import type { ContentStore } from '../../content/content-store.ts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { TaskSettings } from '../../store/task-settings.ts';
import type { Move, WokenTask } from '../../store/move.ts';
import type { TaskStore } from '../../store/task-store.ts';
import type { DownloadSlots } from './download-slots.ts';

/** A picture that a client named by URL, fetched through the guarded download. */
export interface FetchedInput {
  body: AsyncIterable<Uint8Array>;
  mediaType: string;
}

/** What every step works with. */
export interface StepContext {
  store: TaskStore;
  content: ContentStore;
  /** Upstream accounts by name. */
  accounts: ReadonlyMap<string, MediaCapabilities>;
  /** @throws GatewayError when the URL may not be fetched or holds no picture; any other error is passing. */
  fetchInput(url: string, signal: AbortSignal): Promise<FetchedInput>;
  /** Wakes tasks that may go on now. */
  wake(tasks: readonly WokenTask[]): void;
  /** Slots for downloads, so that slow ones leave room for polls. */
  downloads: DownloadSlots;
  settings: TaskSettings;
  logger: Logger;
  now(): number;
  /** A number from 0 up to 1. */
  random(): number;
  /** Aborts when the process must stop and the step cannot be waited for. */
  signal: AbortSignal;
}

/** What the task's account does for its kind of media; undefined when this worker does not serve it. */
export function capabilityOf(
  { accounts }: Pick<StepContext, 'accounts'>,
  { upstream, kind }: Pick<TaskRecord, 'upstream' | 'kind'>,
): MediaCapability | undefined {
  return accounts.get(upstream)?.[kind];
}

/** How a step ended: go on with the record at once, come back at a time, or nothing is left to do here. */
export type StepEnd =
  | { next: 'again'; record: TaskRecord }
  | { next: 'at'; at: number }
  /** The task waits for a place; whoever lets it out wakes it. */
  | { next: 'parked' }
  | { next: 'done' };

/** Nothing is left to do for this wake-up. */
export const DONE: StepEnd = { next: 'done' };

/** Come back at a time, Unix milliseconds. */
export function comeBack(at: number): StepEnd {
  return { next: 'at', at };
}

/**
 * Writes a step's result under the step's own epoch (or what `guard` says), and says how to go on: at `at` where given, else at once.
 * If a client's cancellation came in between, the step goes on with the record as it now is.
 */
export async function settle(
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
    context.logger.warn({ task: record.id, epoch: record.epoch }, 'step fenced: another worker took over');
    return comeBack(context.now() + context.settings.retryMinMs);
  }
  if (isFinal(moved.record.status)) return DONE;
  // Another worker has claimed the task since: the write counted, the rest is its.
  if (moved.record.epoch !== record.epoch) return comeBack(context.now() + context.settings.retryMinMs);
  if (moved.result === 'moved' && at !== undefined && moved.record.upstream === record.upstream) return comeBack(at);
  return { next: 'again', record: moved.record };
}

/** When to try again after so many setbacks: doubling, bounded, with jitter. Unix milliseconds. */
export function retryTime(context: StepContext, setbacks: number, retryAfterMs?: number): number {
  const { retryMinMs, retryMaxMs } = context.settings;
  const pause = Math.min(retryMaxMs, retryMinMs * 2 ** Math.min(setbacks, 16));
  return context.now() + Math.max(retryAfterMs ?? 0, Math.round(pause * (0.85 + 0.3 * context.random())));
}

/**
 * A signal for work that moves bytes: it ends with the process' grace time or the task's deadline, so that no slow
 * server keeps a task alive.
 */
export function untilDeadline(context: StepContext, { deadlineAt }: Pick<TaskRecord, 'deadlineAt'>): TimedSignal {
  return signalWithin(context.signal, deadlineAt - context.now());
}
