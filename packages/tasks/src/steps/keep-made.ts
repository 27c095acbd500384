import type { MadeOutput, MediaCapability, TaskOutput } from '@sluice/canonical';
import { ContentTooLargeError } from '../content-store.ts';
import { redisJson } from '../redis-json.ts';
import type { TaskRecord } from '../task-record.ts';
import type { TimelineNote } from '../timeline.ts';
import { ACCEPTING } from './accept-submission.ts';
import { upstreamJobOf } from './poll-step.ts';
import { settle, type StepContext, type StepEnd, untilDeadline } from './step.ts';
import { BrokenContentError, storeOutput } from './store-output.ts';

/**
 * Keeps what a synchronous upstream has made in its answer. URLs are pinned in the record and fetched by the next
 * step; bytes go into the content store now, since nobody can ask for them again, and the task is completed. Where an
 * answer has both, the URLs are fetched now as well.
 */
export async function keepMade(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  outputs: readonly MadeOutput[],
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
    return settle(context, record, { from: ACCEPTING, to: 'finishing', due, set, note }, undefined, guard);
  }

  const kept: TaskOutput[] = [];
  try {
    for (const [index, output] of outputs.entries()) {
      const { revisedPrompt } = output;
      kept.push({
        ...(await keep(context, record, capability, output, index)),
        ...(revisedPrompt !== undefined && { revisedPrompt }),
      });
    }
    const error = kept.find((output) => output.error)?.error;
    const move = kept.some((output) => output.content)
      ? ({ to: 'completed', set: { progress: 100, outputs: redisJson(kept) } } as const)
      : ({ to: 'failed', set: { errorCode: error?.code, errorMessage: error?.message } } as const);
    return await settle(context, record, { from: ACCEPTING, ...move, note }, undefined, guard);
  } finally {
    await removeUnknown(context, record, kept);
  }
}

const NOTHING = { code: 'provider_error', message: 'The upstream made nothing that is a picture.' } as const;

async function keep(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  { bytes, ...output }: MadeOutput,
  index: number,
): Promise<TaskOutput> {
  if (output.error) return { error: output.error };
  const signal = untilDeadline(context, record);
  try {
    const file =
      bytes === undefined
        ? await capability.openContent(upstreamJobOf(record), { ...output, index }, signal)
        : ({ kind: 'opened', body: once(bytes), bytes: bytes.byteLength } as const);
    if (file.kind !== 'opened') return { error: NOTHING };
    const arriving = { ...file, index };
    return { content: await storeOutput(context.content, record, arriving, context.settings.downloadBytes, signal) };
  } catch (failure) {
    if (failure instanceof BrokenContentError || failure instanceof ContentTooLargeError) return { error: NOTHING };
    throw failure;
  }
}

async function* once(made: Uint8Array): AsyncGenerator<Uint8Array> {
  yield made;
}

/** A refused write leaves files that no record knows. */
export async function removeUnknown(
  { store, content }: Pick<StepContext, 'store' | 'content'>,
  { id }: Pick<TaskRecord, 'id'>,
  written: readonly TaskOutput[],
): Promise<void> {
  if (written.every(({ content: file }) => !file)) return;
  const known = new Set((await store.load(id))?.outputs.map((output) => output.content?.key));
  for (const output of written) {
    if (output.content && !known.has(output.content.key)) await content.remove(output.content.key);
  }
}
