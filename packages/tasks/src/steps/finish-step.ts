import type { MediaCapability, PinnedOutput, TaskErrorCode, TaskOutput } from '@sluice/canonical';
import { ContentTooLargeError } from '../content-store.ts';
import type { TaskRecord } from '../task-record.ts';
import { removeUnknown } from './keep-made.ts';
import { upstreamJobOf } from './poll-step.ts';
import { capabilityOf, comeBack, retryTime, settle, type StepContext, type StepEnd, untilDeadline } from './step.ts';
import { storeOutput } from './store-output.ts';

/** Share of the newest running time in a model's usual one. */
const USUAL_WEIGHT = 0.2;
/** Setbacks after which a file that the vendor refuses each time is taken for gone. */
const MAX_DENIED = 5;

/** Why a file did not come: for good, or so that another try is due. */
type Missing =
  | { kind: 'lost'; code: TaskErrorCode; message: string }
  | { kind: 'late'; message: string; retryAfterMs?: number };

/**
 * `finishing`: copies what the vendor has made into the content store, and only then says `completed`. A copy that
 * breaks off is made anew, for as long as the deadline allows. Of several images some may be lost: the others count.
 */
export async function finishStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { settings, logger } = context;
  const capability = capabilityOf(context, record);
  if (!capability) return comeBack(context.now() + settings.retryMaxMs);

  const release = context.downloads.take(record.upstream);
  if (!release) return settle(context, record, { from: ['finishing'] }, retryTime(context, 0));
  const outputs: TaskOutput[] = [];
  try {
    const pinned = record.jobOutputs ?? [{}];
    for (const [index, output] of pinned.entries()) {
      const fetched = await fetchOutput(context, record, capability, { ...output, index });
      if ('kind' in fetched && fetched.kind === 'late') {
        const reason = fetched.message;
        logger.warn({ task: record.id, upstream: record.upstream, reason }, 'file not fetched; trying again');
        const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks, fetched.retryAfterMs));
        return await settle(context, record, { from: ['finishing'], set: { setbacks: record.setbacks + 1 } }, at);
      }
      outputs.push('kind' in fetched ? { error: { code: fetched.code, message: fetched.message } } : fetched);
    }
    return await complete(context, record, outputs);
  } finally {
    release();
    await removeUnknown(context, record, outputs);
  }
}

function complete(context: StepContext, record: TaskRecord, outputs: readonly TaskOutput[]): Promise<StepEnd> {
  const error = outputs.find((output) => output.error)?.error;
  if (outputs.every((output) => !output.content)) {
    const set = { errorCode: error?.code ?? 'provider_error', errorMessage: error?.message ?? 'Nothing was made.' };
    return settle(context, record, { from: ['finishing'], to: 'failed', set });
  }
  const now = context.now();
  const ran = now - (record.acceptedAt ?? now);
  const film = outputs[0]?.content?.film;
  return settle(context, record, {
    from: ['finishing'],
    to: 'completed',
    usual: Math.round(record.usualMs ? record.usualMs * (1 - USUAL_WEIGHT) + ran * USUAL_WEIGHT : ran),
    set: {
      progress: 100,
      outputs: JSON.stringify(outputs),
      ...(film && { size: `${film.width}x${film.height}` }),
    },
  });
}

async function fetchOutput(
  context: StepContext,
  record: TaskRecord,
  capability: MediaCapability,
  output: PinnedOutput,
): Promise<TaskOutput | Missing> {
  if (output.error) return { error: output.error };
  const signal = untilDeadline(context, record);
  const source = await capability.openContent(upstreamJobOf(record), output, signal);
  switch (source.kind) {
    case 'expired':
      return gone();
    case 'denied':
      return record.setbacks < MAX_DENIED ? { kind: 'late', message: source.message } : gone();
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
    const stored = await storeOutput(content, record, file, settings.downloadBytes, signal);
    return { content: stored, ...(output.revisedPrompt !== undefined && { revisedPrompt: output.revisedPrompt }) };
  } catch (error) {
    if (error instanceof ContentTooLargeError) {
      return { kind: 'lost', code: 'provider_error', message: 'The finished file is too large.' };
    }
    if (!(error instanceof Error)) throw error;
    return { kind: 'late', message: error.message };
  }
}

function gone(): Missing {
  return { kind: 'lost', code: 'content_expired', message: 'The upstream no longer has the finished file.' };
}
