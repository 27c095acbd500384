import {
  ContentTooLargeError,
  type MediaCapability,
  type IndexedOutput,
  type TaskErrorCode,
  type TaskOutput,
} from '@sluice/canonical';
import { redisJson } from '../../store/redis-json.ts';
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

/** Time for the last download, in lock durations. */
const LAST_FETCH_LOCKS = 10;
/** Vendor refusals after which Sluice gives up on a file. */
const MAX_DENIED = 5;

/** A file that is lost permanently, or not available yet. */
type FetchFailure =
  | { kind: 'lost'; code: TaskErrorCode; message: string }
  /** `publicMessage` replaces `message` in the timeline. */
  | { kind: 'late'; message: string; publicMessage?: string; retryAfterMs?: number; denied?: true };

/**
 * `finishing`: copies the outputs into the content store, and completes the task only then. An interrupted copy is
 * repeated until the deadline, and once more at the deadline, because workers may have been down. If some of several
 * images are lost, the task completes with the others.
 */
export async function finishStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { settings, logger } = context;
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
      // Outputs of an earlier attempt are not fetched again.
      const fetched = record.outputs[index] ?? (await fetchOutput(context, record, capability, { ...output, index }));
      if ('kind' in fetched && fetched.kind === 'late') {
        const reason = fetched.message;
        logger.warn({ task: record.id, upstream: record.upstream, reason }, 'output file not fetched; retrying');
        if (isOverdue(context, record)) return await failAtDeadline(context, record);
        const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks, fetched.retryAfterMs));
        const set = {
          setbacks: record.setbacks + 1,
          denials: fetched.denied ? record.denials + 1 : record.denials,
          outputs: redisJson(outputs),
        };
        const note = timelineNote('download', { kind: 'late', message: fetched.publicMessage ?? reason });
        return await commitStep(context, record, { from: ['finishing'], set, note }, at);
      }
      outputs.push('kind' in fetched ? { error: { code: fetched.code, message: fetched.message } } : fetched);
    }
    return await complete(context, record, outputs);
  } finally {
    release();
    await removeUnrecorded(context, record, outputs);
  }
}

function complete(context: StepContext, record: TaskRecord, outputs: readonly TaskOutput[]): Promise<StepEnd> {
  const error = outputs.find((output) => output.error)?.error;
  if (outputs.every((output) => !output.content)) {
    const set = {
      errorCode: error?.code ?? 'provider_error',
      errorMessage: error?.message ?? 'The upstream returned no output.',
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

/** A download at the task's deadline gets extra time. Unix milliseconds. */
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
      context.logger.warn({ task: record.id, upstream: record.upstream, failure }, 'output file not stored');
      return { kind: 'lost', ...outputTooLarge(context) };
    }
    if (!(error instanceof Error)) throw error;
    // A retry may fetch a complete file. A file that has the wrong type each time is lost.
    const isBroken = error instanceof BrokenContentError;
    if (isBroken && record.denials >= MAX_DENIED) {
      return {
        kind: 'lost',
        code: 'provider_error',
        message: `The upstream returned a file that is ${error.message}.`,
      };
    }
    // A system error's message may contain hosts and folders; its code does not.
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
  return { kind: 'lost', code: 'content_expired', message: 'The upstream no longer has the finished file.' };
}
