import type { TaskErrorCode, VideoCapability } from '@sluice/canonical';
import { ContentTooLargeError } from '../content-store.ts';
import type { TaskRecord } from '../task-record.ts';
import { upstreamJobOf } from './poll-step.ts';
import { comeBack, retryTime, settle, type StepContext, type StepEnd, untilDeadline } from './step.ts';

/** The finished bytes are not a whole MP4 file. */
class BrokenContentError extends Error {}

/** Share of the newest running time in a model's usual one. */
const USUAL_WEIGHT = 0.2;

/**
 * `finishing`: copies the video from the vendor into the content store, and only then says `completed`.
 *
 * The key holds the epoch, so a worker that was overtaken writes beside its successor and never over it; the record
 * decides which file counts. A copy that breaks off is made anew, for as long as the deadline allows.
 */
export async function finishStep(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const { settings } = context;
  const capability = context.accounts.get(record.upstream);
  if (!capability) return comeBack(context.now() + settings.retryMaxMs);

  const release = context.downloads.take(record.upstream);
  if (!release) return settle(context, record, { from: ['finishing'] }, retryTime(context, 0));
  try {
    return await fetchVideo(context, record, capability);
  } finally {
    release();
  }
}

async function fetchVideo(context: StepContext, record: TaskRecord, capability: VideoCapability): Promise<StepEnd> {
  const { content, settings, logger } = context;
  const signal = untilDeadline(context, record);
  const source = await capability.openContent(upstreamJobOf(record), signal);
  switch (source.kind) {
    case 'expired':
      return fail('content_expired', 'The upstream no longer has the finished video.');
    case 'refused':
      return fail(source.code, source.message);
    case 'unclear':
      return again(source.message, source.retryAfterMs);
    case 'opened':
  }

  const key = `videos/${record.id}.${record.epoch}.mp4`;
  try {
    const { bytes, sha256 } = await content.write(
      key,
      checked(source.body, source.bytes),
      settings.downloadBytes,
      signal,
    );
    const now = context.now();
    const ran = now - (record.acceptedAt ?? now);
    const end = await settle(context, record, {
      from: ['finishing'],
      to: 'completed',
      usual: Math.round(record.usualMs ? record.usualMs * (1 - USUAL_WEIGHT) + ran * USUAL_WEIGHT : ran),
      set: { progress: 100, contentKey: key, contentBytes: bytes, contentEtag: sha256 },
    });
    // A refused write leaves a file that no record knows.
    const current = await context.store.load(record.id);
    if (current?.content?.key !== key) await content.remove(key);
    return end;
  } catch (error) {
    if (error instanceof ContentTooLargeError) return fail('provider_error', 'The finished video is too large.');
    if (!(error instanceof Error)) throw error;
    return again(error.message);
  }

  function fail(errorCode: TaskErrorCode, errorMessage: string): Promise<StepEnd> {
    return settle(context, record, { from: ['finishing'], to: 'failed', set: { errorCode, errorMessage } });
  }

  function again(reason: string, retryAfterMs?: number): Promise<StepEnd> {
    logger.warn({ task: record.id, upstream: record.upstream, reason }, 'video not fetched; trying again');
    const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks, retryAfterMs));
    return settle(context, record, { from: ['finishing'], set: { setbacks: record.setbacks + 1 } }, at);
  }
}

/** Passes the bytes through; throws when they do not begin as an MP4 file or are not as many as were told. */
async function* checked(body: AsyncIterable<Uint8Array>, expected?: number): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of body) {
    if (head.length < 8) {
      head = Buffer.concat([head, chunk.subarray(0, 8)]);
      if (head.length >= 8 && head.toString('latin1', 4, 8) !== 'ftyp') throw new BrokenContentError('not an MP4 file');
    }
    bytes += chunk.byteLength;
    yield chunk;
  }
  if (head.length < 8) throw new BrokenContentError('empty file');
  if (expected !== undefined && bytes !== expected) throw new BrokenContentError(`${bytes} of ${expected} bytes came`);
}
