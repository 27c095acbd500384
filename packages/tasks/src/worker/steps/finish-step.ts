import {
  ContentTooLargeError,
  type MediaCapability,
  type IndexedOutput,
  type TaskErrorCode,
  type TaskOutput,
  UPSTREAM_MESSAGES,
  invalidResponseMessage,
} from '@sluice/canonical';
import { ContentUnavailableError } from '@sluice/content';
import { redisJson } from '@sluice/redis-scripts';
import type { TaskRecord } from '../../store/task-record.ts';
import { removeUnrecorded } from './store-returned-outputs.ts';
import { timelineNote } from './timeline-note.ts';
import { upstreamJobOf } from './poll-step.ts';
import {
  capabilityOf,
  resumeAt,
  retryTime,
  commitStep,
  failAtDeadline,
  isOverdue,
  type StepContext,
  type StepEnd,
  untilDeadline,
} from './step.ts';
import { BrokenContentError, outputTooLarge, storeOutput } from './store-output.ts';
import { measuredSeconds } from './reported-seconds.ts';
import { STORAGE_WORKS, waitForStorage } from './wait-for-storage.ts';

/** Extra time for a download that is running at the deadline, in lock durations. */
const LAST_FETCH_LOCKS = 10;
/** After this many refusals, the file is no longer requested from the vendor. */
const MAX_DENIED = 5;

/** The file is lost permanently, or is not available yet. */
type FetchFailure =
  | { kind: 'lost'; code: TaskErrorCode; message: string }
  /** If `publicMessage` is set, it replaces `message` in the timeline. */
  | { kind: 'late'; message: string; publicMessage?: string; retryAfterMs?: number; denied?: true }
  /** The content store is unavailable, so the file was not stored. */
  | { kind: 'not_stored'; message: string; error: ContentUnavailableError };

/**
 * Handles `finishing`: copies the outputs into the content store, and only then completes the task. An interrupted copy
 * is repeated until the deadline, and once more at the deadline, because no worker may have been running. If some of
 * several images are lost, the task completes with the others.
 */
export async function finishStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { settings } = context;
  const capability = capabilityOf(context, record);
  if (!capability) {
    if (isOverdue(context, record)) return failAtDeadline(context, record);
    return resumeAt(context.now() + settings.retryMaxMs);
  }

  const release = context.downloads.take(record.upstream);
  if (!release) return commitStep(context, record, { from: ['finishing'] }, retryTime(context, 0));
  const outputs: TaskOutput[] = [];
  try {
    const pinned = record.jobOutputs ?? [{}];
    for (const [index, output] of pinned.entries()) {
      // Outputs that an earlier attempt has stored are not fetched again.
      const fetched = record.outputs[index] ?? (await fetchOutput(context, record, capability, { ...output, index }));
      if ('kind' in fetched && fetched.kind !== 'lost') return await retryLater(context, record, fetched, outputs);
      outputs.push('kind' in fetched ? { error: { code: fetched.code, message: fetched.message } } : fetched);
    }
    return await complete(context, record, outputs);
  } finally {
    release();
    await removeUnrecorded(context, record, outputs);
  }
}

function retryLater(
  context: StepContext,
  record: TaskRecord,
  failure: Exclude<FetchFailure, { kind: 'lost' }>,
  outputs: readonly TaskOutput[],
): Promise<StepEnd> {
  const { message: reason } = failure;
  context.logger.warn({ task: record.id, upstream: record.upstream, reason }, 'output file not copied; retrying');
  if (isOverdue(context, record)) return failAtDeadline(context, record);
  const late = failure.kind === 'late' ? failure : undefined;
  const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks, late?.retryAfterMs));
  const { set: waiting, note } =
    failure.kind === 'not_stored'
      ? waitForStorage('download', failure.error)
      : {
          set: STORAGE_WORKS,
          note: timelineNote('download', { kind: 'late', message: failure.publicMessage ?? reason }),
        };
  const set = {
    setbacks: record.setbacks + 1,
    denials: late?.denied ? record.denials + 1 : record.denials,
    outputs: redisJson(outputs),
    ...waiting,
  };
  return commitStep(context, record, { from: ['finishing'], set, note }, at);
}

function complete(context: StepContext, record: TaskRecord, outputs: readonly TaskOutput[]): Promise<StepEnd> {
  const error = outputs.find((output) => output.error)?.error;
  if (outputs.every((output) => !output.content)) {
    const set = {
      errorCode: error?.code ?? 'provider_error',
      errorMessage: error?.message ?? UPSTREAM_MESSAGES.noContent,
    };
    const note = timelineNote('download', { kind: 'lost', ...error });
    return commitStep(context, record, { from: ['finishing'], to: 'failed', set, note });
  }
  const video = outputs[0]?.content?.video;
  return commitStep(context, record, {
    from: ['finishing'],
    to: 'completed',
    set: {
      progress: 100,
      outputs: redisJson(outputs),
      ...(video && { size: `${video.width}x${video.height}` }),
      ...(video && !record.lengthTold && { seconds: measuredSeconds(video) }),
    },
    note: { what: 'download', outcome: 'stored' },
  });
}

/** Returns the deadline of a download in Unix milliseconds. A download at the task's deadline gets extra time. */
function fetchDeadline(context: StepContext, record: TaskRecord): number {
  return isOverdue(context, record) ? context.now() + LAST_FETCH_LOCKS * context.settings.lockMs : record.deadlineAt;
}

async function fetchOutput(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  output: IndexedOutput,
): Promise<TaskOutput | FetchFailure> {
  if (output.error) return { error: output.error };
  using time = untilDeadline(context, { deadlineAt: fetchDeadline(context, record) });
  const source = await capability.openContent(upstreamJobOf(record), output, time.signal);
  switch (source.kind) {
    case 'expired':
      return contentExpired();
    case 'denied':
      if (record.denials < MAX_DENIED) return { kind: 'late', message: source.message, denied: true };
      return source.code === undefined
        ? contentExpired()
        : { kind: 'lost', code: source.code, message: source.message };
    case 'refused':
      return { kind: 'lost', code: source.code, message: source.message };
    case 'unclear': {
      const { message, retryAfterMs } = source;
      return { kind: 'late', message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    }
    case 'opened':
  }
  try {
    const { settings, content } = context;
    const file = { ...source, index: output.index };
    const stored = await storeOutput(content, record, file, settings.downloadBytes, time.signal);
    return { content: stored, ...(output.revisedPrompt !== undefined && { revisedPrompt: output.revisedPrompt }) };
  } catch (error) {
    if (error instanceof ContentTooLargeError) {
      const { failure } = error;
      context.logger.warn({ task: record.id, upstream: record.upstream, failure }, 'output file could not be stored');
      return { kind: 'lost', ...outputTooLarge(context) };
    }
    if (!(error instanceof Error)) throw error;
    if (error instanceof ContentUnavailableError) return { kind: 'not_stored', message: error.message, error };
    // A retry may return a valid file. If every attempt returns the wrong type, the file is lost.
    const isBroken = error instanceof BrokenContentError;
    if (isBroken && record.denials >= MAX_DENIED) {
      return {
        kind: 'lost',
        code: 'provider_error',
        message: invalidResponseMessage(`the file is ${error.message}`),
      };
    }
    // The message of a system error may contain host and folder names, so only its code is used.
    const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return {
      kind: 'late',
      message: error.message,
      ...(code !== undefined && { publicMessage: code }),
      ...(isBroken && { denied: true }),
    };
  }
}

function contentExpired(): FetchFailure {
  return { kind: 'lost', code: 'content_expired', message: UPSTREAM_MESSAGES.fileGone };
}
