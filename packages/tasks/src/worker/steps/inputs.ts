import {
  ContentTooLargeError,
  GatewayError,
  type InputImage,
  type MediaRequest,
  type OpenedImage,
  signalWithin,
} from '@sluice/canonical';
import { ContentMissingError, ContentUnavailableError, discardContent } from '@sluice/content';
import type { TaskRecord } from '../../store/task-record.ts';
import { STORAGE_WORKS, waitForStorage } from './wait-for-storage.ts';
import { retryTime, commitStep, type StepContext, type StepEnd } from './step.ts';

/** Maximum number of attempts to fetch the input images before the task fails. */
const MAX_FETCHES = 5;
const FETCH_MS = 60_000;

/**
 * Fetches a request's input images into the content store once, so that every attempt submits the same bytes. This
 * happens before the task gets a slot, so that one client's slow server does not delay other tasks.
 */
export async function fetchInputs(context: StepContext, record: TaskRecord): Promise<StepEnd> {
  const release = context.downloads.take(record.upstream);
  if (!release) return commitStep(context, record, { from: ['queued'] }, retryTime(context, 0));
  try {
    const request = await context.store.loadRequest(record.id);
    const images = await fetchAll(context, record, request);
    const fetched = images.filter((image) => !request.images.includes(image));
    const unused = await context.store.storeInputs(record, { ...request, images }, fetched, context.settings);
    await discardContent(context.content, unused);
    const note = { what: 'inputs', outcome: 'fetched' } as const;
    const set = { inputsPending: false, setbacks: 0, ...STORAGE_WORKS };
    return commitStep(context, record, { from: ['queued'], set, note });
  } catch (error) {
    if (error instanceof ContentUnavailableError) return waitInQueue(context, record, error);
    const refusal = refusalOf(context, error);
    if (refusal === undefined && record.setbacks < MAX_FETCHES) {
      // Do not log the error, because it may contain the client's host names.
      const reason = error instanceof Error ? error.message : 'unknown';
      context.logger.warn({ task: record.id, reason }, 'input image could not be fetched; retrying');
      const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks));
      const note = { what: 'inputs', outcome: 'late' } as const;
      const set = { setbacks: record.setbacks + 1, ...STORAGE_WORKS };
      return commitStep(context, record, { from: ['queued'], set, note }, at);
    }
    const errorMessage = refusal ?? 'The image could not be fetched. Check its URL, or send the image itself.';
    return commitStep(context, record, {
      from: ['queued'],
      to: 'failed',
      set: { errorCode: 'invalid_request', errorMessage },
      note: { what: 'inputs', outcome: 'failed', code: 'invalid_request', reason: errorMessage },
    });
  } finally {
    release();
  }
}

/** The task waits for the content store until its deadline, because the client did not cause the outage. */
export function waitInQueue(
  context: StepContext,
  record: TaskRecord,
  error: ContentUnavailableError,
): Promise<StepEnd> {
  context.logger.warn({ task: record.id, reason: error.message }, 'input image not copied; retrying');
  const { set, note } = waitForStorage('inputs', error);
  const at = Math.min(record.deadlineAt, retryTime(context, record.setbacks));
  // After the inputs are stored, this count decides about the next route, so it must include only vendor refusals.
  const setbacks = record.inputsPending ? record.setbacks + 1 : record.setbacks;
  return commitStep(context, record, { from: ['queued'], set: { ...set, setbacks }, note }, at);
}

/** Fetches all images. The first failure aborts the other fetches and removes the stored images. */
async function fetchAll(context: StepContext, record: TaskRecord, request: MediaRequest): Promise<InputImage[]> {
  const stop = new AbortController();
  using time = signalWithin(context.signal, Math.min(FETCH_MS, record.deadlineAt - context.now()));
  const signal = AbortSignal.any([time.signal, stop.signal]);
  let failure: { error: unknown } | undefined;
  const fetched = await Promise.allSettled(
    request.images.map(async (image, i) => {
      try {
        return await fetchImage(context, record, image, i, signal);
      } catch (error) {
        failure ??= { error };
        stop.abort();
        throw error;
      }
    }),
  );
  if (failure === undefined) return fetched.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const keys = request.images.flatMap(({ source }, i) => (source.kind === 'url' ? [inputKey(record, i)] : []));
  await discardContent(context.content, keys);
  throw failure.error;
}

/** The key contains the epoch, so that a stale worker never removes the file of a later one. */
function inputKey({ id, epoch }: TaskRecord, index: number): string {
  return `inputs/${id}/${index}.${epoch}`;
}

/** Describes a permanent problem with an image. Returns undefined if a retry may succeed. */
function refusalOf(context: StepContext, error: unknown): string | undefined {
  if (error instanceof GatewayError) return error.message;
  if (error instanceof ContentTooLargeError)
    return `The image at the URL exceeds ${context.settings.uploadBytes} bytes. Send a smaller image.`;
  return undefined;
}

async function fetchImage(
  context: StepContext,
  record: TaskRecord,
  image: InputImage,
  index: number,
  signal: AbortSignal,
): Promise<InputImage> {
  if (image.source.kind === 'stored') return image;
  const key = inputKey(record, index);
  const { body, mediaType } = await context.fetchInput(image.source.url, signal);
  const { bytes, sha256 } = await context.content.write(key, body, context.settings.uploadBytes, signal);
  const filename = `input-${index}.${mediaType.split('/')[1] ?? 'bin'}`;
  return { role: image.role, source: { kind: 'stored', key, mediaType, filename, bytes, sha256 } };
}

/** Opens a request's stored images for one submission. Returns undefined if an image is missing. */
export async function openInputs(context: StepContext, request: MediaRequest): Promise<OpenedImage[] | undefined> {
  const opened: OpenedImage[] = [];
  for (const { role, source } of request.images) {
    if (source.kind !== 'stored') return undefined;
    const { key, mediaType, filename, bytes } = source;
    try {
      await context.content.check(key);
    } catch (error) {
      if (error instanceof ContentMissingError) return undefined;
      throw error;
    }
    opened.push({ role, mediaType, filename, bytes, open: () => context.content.open(key) });
  }
  return opened;
}
