import type { MadeOutput, TaskOutput } from '@sluice/canonical';
import { ContentTooLargeError } from '../content-store.ts';
import type { TaskRecord } from '../task-record.ts';
import { UNDECIDED } from './accept-submission.ts';
import { settle, type StepContext, type StepEnd, untilDeadline } from './step.ts';
import { BrokenContentError, storeOutput } from './store-output.ts';

/**
 * Keeps what a synchronous upstream has made in its answer. URLs are pinned in the record and fetched by the next
 * step; bytes go into the content store now, since nobody can ask for them again, and the task is completed.
 */
export async function keepMade(
  context: StepContext,
  record: TaskRecord,
  outputs: readonly MadeOutput[],
): Promise<StepEnd> {
  const { attempt } = record;
  const now = context.now();
  if (outputs.every(({ bytes }) => bytes === undefined)) {
    const pinned = outputs.map(({ bytes: _none, ...output }) => output);
    return settle(
      context,
      record,
      {
        from: UNDECIDED,
        to: 'finishing',
        due: now + context.settings.lockMs,
        set: {
          jobOutputs: JSON.stringify(pinned),
          acceptedAt: now,
          setbacks: 0,
          deadlineAt: now + context.settings.runDeadlineMs(record.model),
        },
      },
      undefined,
      { attempt },
    );
  }

  const kept: TaskOutput[] = [];
  for (const [index, { bytes, error, revisedPrompt }] of outputs.entries()) {
    kept.push({ ...(await keep(index, bytes, error)), ...(revisedPrompt !== undefined && { revisedPrompt }) });
  }
  const failed = kept.find((output) => output.error);
  const isWhole = kept.some((output) => output.content);
  const end = await settle(
    context,
    record,
    isWhole
      ? { from: UNDECIDED, to: 'completed', set: { progress: 100, outputs: JSON.stringify(kept) } }
      : {
          from: UNDECIDED,
          to: 'failed',
          set: {
            errorCode: failed?.error?.code ?? 'provider_error',
            errorMessage: failed?.error?.message ?? 'The upstream made nothing.',
          },
        },
    undefined,
    { attempt },
  );
  await removeUnknown(context, record, kept);
  return end;

  async function keep(index: number, bytes: Uint8Array | undefined, error: TaskOutput['error']): Promise<TaskOutput> {
    if (!bytes) return { error: error ?? { code: 'provider_error', message: 'The upstream made nothing.' } };
    try {
      const signal = untilDeadline(context, record);
      const file = { body: once(bytes), bytes: bytes.byteLength, index };
      return { content: await storeOutput(context.content, record, file, context.settings.downloadBytes, signal) };
    } catch (failure) {
      if (failure instanceof BrokenContentError || failure instanceof ContentTooLargeError) {
        return { error: { code: 'provider_error', message: 'The upstream made something that is no picture.' } };
      }
      throw failure;
    }
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
