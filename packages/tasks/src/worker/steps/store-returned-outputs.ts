import { setTimeout } from 'node:timers/promises';
import {
  ContentTooLargeError,
  type ReturnedOutput,
  type MediaCapability,
  type TaskOutput,
  invalidResponseMessage,
} from '@sluice/canonical';
import { ContentUnavailableError, discardContent } from '@sluice/content';
import { redisJson } from '@sluice/redis-scripts';
import type { TaskRecord } from '../../store/task-record.ts';
import type { TimelineNote } from '../../store/timeline.ts';
import { ACCEPTING } from '../../store/submission-states.ts';
import { upstreamJobOf } from './poll-step.ts';
import { retryTime, commitStep, type StepContext, type StepEnd, untilDeadline } from './step.ts';
import { BrokenContentError, outputTooLarge, storeOutput } from './store-output.ts';
import { waitForStorage } from './wait-for-storage.ts';

/**
 * Stores the outputs in a synchronous upstream's response. If the response contains only URLs, they are written to the
 * record, and the next step fetches them. If it contains bytes, they are stored immediately, because they cannot be
 * requested again. Any URLs are then fetched immediately too, and the task ends.
 */
export async function storeReturnedOutputs(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  outputs: readonly ReturnedOutput[],
  note: TimelineNote,
): Promise<StepEnd> {
  const guard = { attempt: record.attempt };
  const now = context.now();
  if (outputs.every(({ bytes }) => bytes === undefined)) {
    const pinned = outputs.map(({ bytes: _none, ...output }) => output);
    const set = {
      jobOutputs: JSON.stringify(pinned),
      acceptedAt: now,
      setbacks: 0,
      deadlineAt: now + context.settings.runDeadlineMs(record.model),
    };
    const due = now + context.settings.lockMs;
    return commitStep(context, record, { from: ACCEPTING, to: 'finishing', due, set, note }, undefined, guard);
  }

  // Storing gets the full time, regardless of the queue's deadline.
  const deadlineAt = now + context.settings.runDeadlineMs(record.model);
  using time = untilDeadline(context, { deadlineAt });
  const stored: TaskOutput[] = [];
  try {
    for (const [index, output] of outputs.entries()) {
      const { revisedPrompt } = output;
      stored.push({
        ...(await storeReturnedOutput(context, record, capability, { ...output, index }, time.signal)),
        ...(revisedPrompt !== undefined && { revisedPrompt }),
      });
    }
    const error = stored.find((output) => output.error)?.error;
    const move = stored.some((output) => output.content)
      ? ({ to: 'completed', set: { progress: 100, outputs: redisJson(stored) } } as const)
      : ({ to: 'failed', set: { errorCode: error?.code, errorMessage: error?.message } } as const);
    return await commitStep(context, record, { from: ACCEPTING, ...move, note }, undefined, guard);
  } finally {
    await removeUnrecorded(context, record, stored);
  }
}

const NO_IMAGE = { code: 'provider_error', message: invalidResponseMessage('it contains no valid image') } as const;
const NOT_STORED = {
  code: 'provider_error',
  message: 'The output was generated but could not be stored. Retry the request.',
} as const;

/** Stores one output. The output is paid for and cannot be requested again, so a failed write is retried. */
async function storeReturnedOutput(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  output: ReturnedOutput & { index: number },
  signal: AbortSignal,
): Promise<TaskOutput> {
  if (output.error) return { error: output.error };
  for (let setbacks = 0; ; setbacks++) {
    try {
      return await tryToStore(context, record, capability, output, signal);
    } catch (failure) {
      if (failure instanceof BrokenContentError) return { error: NO_IMAGE };
      if (failure instanceof ContentTooLargeError) return { error: outputTooLarge(context) };
      if (context.signal.aborted) throw failure;
      if (signal.aborted) return { error: NOT_STORED };
      context.logger.error({ err: failure, task: record.id }, 'returned output could not be stored; retrying');
      if (failure instanceof ContentUnavailableError) await reportWaiting(context, record, failure);
    }
    // An abort ends this wait. The next attempt is then the last one.
    await setTimeout(retryTime(context, setbacks) - context.now(), undefined, { signal }).catch(() => undefined);
  }
}

/** Only this process has the outputs, so the step must continue even if this report fails. */
async function reportWaiting(context: StepContext, record: TaskRecord, error: ContentUnavailableError): Promise<void> {
  const move = { attempt: record.attempt, from: ACCEPTING, ...waitForStorage('download', error) };
  await context.store.move(record.id, move).catch((failure: unknown) => {
    context.logger.warn({ err: failure, task: record.id }, 'waiting task not reported');
  });
}

async function tryToStore(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  { bytes, ...output }: ReturnedOutput & { index: number },
  signal: AbortSignal,
): Promise<TaskOutput> {
  const file =
    bytes === undefined
      ? await capability.openContent(upstreamJobOf(record), output, signal)
      : ({ kind: 'opened', body: once(bytes), bytes: bytes.byteLength } as const);
  if (file.kind === 'unclear') throw new Error(file.message);
  if (file.kind === 'refused') return { error: { code: file.code, message: file.message } };
  if (file.kind !== 'opened') return { error: NO_IMAGE };
  const incoming = { ...file, index: output.index };
  return { content: await storeOutput(context.content, record, incoming, context.settings.downloadBytes, signal) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** After a move was refused, removes the files that the record does not reference. */
export async function removeUnrecorded(
  { store, content }: Pick<StepContext, 'store' | 'content'>,
  { id }: Pick<TaskRecord, 'id'>,
  written: readonly TaskOutput[],
): Promise<void> {
  if (written.every(({ content: file }) => !file)) return;
  const known = new Set((await store.load(id))?.outputs.map((output) => output.content?.key));
  const keys = written.flatMap((output) => (output.content ? [output.content.key] : []));
  await discardContent(
    content,
    keys.filter((key) => !known.has(key)),
  );
}
