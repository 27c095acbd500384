import { GatewayError, type InputImage, type OpenedImage, type VideoRequest } from '@sluice/canonical';
import { ContentMissingError, ContentTooLargeError } from '../content-store.ts';
import type { TaskRecord } from '../task-record.ts';
import { retryTime, settle, type StepContext, type StepEnd } from './step.ts';

/** Tries to fetch a client's picture before the task fails. */
const MAX_FETCHES = 5;

/**
 * Brings a request's pictures to hand: those named by URL are fetched into the content store once, so that a later
 * attempt submits the same bytes. Either the request with its openable pictures, or how the step ends.
 */
export async function storeInputs(
  context: StepContext,
  record: TaskRecord,
): Promise<{ request: VideoRequest; images: OpenedImage[] } | { end: StepEnd }> {
  const request = await context.store.loadRequest(record.id);
  try {
    const fetched = await Promise.all(request.images.map((image, index) => fetchImage(context, record, image, index)));
    const stored: VideoRequest = { ...request, images: fetched };
    if (request.images.some(({ source }) => source.kind === 'url')) await context.store.saveRequest(record.id, stored);
    return { request: stored, images: fetched.flatMap((image) => openable(context, image)) };
  } catch (error) {
    const refused =
      error instanceof GatewayError
        ? error.message
        : error instanceof ContentTooLargeError
          ? 'The picture behind the URL is too large.'
          : undefined;
    if (refused === undefined && record.setbacks < MAX_FETCHES) {
      context.logger.warn({ err: error, task: record.id }, 'input picture not fetched; trying again');
      const at = retryTime(context, record.setbacks);
      return { end: await settle(context, record, { from: ['queued'], set: { setbacks: record.setbacks + 1 } }, at) };
    }
    return {
      end: await settle(context, record, {
        from: ['queued'],
        to: 'failed',
        set: {
          errorCode: 'invalid_request',
          errorMessage: refused ?? 'The picture behind the URL could not be fetched.',
        },
      }),
    };
  }
}

async function fetchImage(
  context: StepContext,
  record: TaskRecord,
  image: InputImage,
  index: number,
): Promise<InputImage> {
  if (image.source.kind === 'stored') return image;
  const key = inputKey(record.id, index);
  const input = await context.fetchInput(image.source.url, context.signal);
  const { bytes } = await context.content.write(key, input.body, context.settings.uploadBytes);
  const filename = `input-${index}.${input.mediaType.split('/')[1] ?? 'bin'}`;
  return { role: image.role, source: { kind: 'stored', key, mediaType: input.mediaType, filename, bytes } };
}

/** Where a picture fetched for a task is kept. */
function inputKey(taskId: string, index: number): string {
  return `inputs/${taskId}/${index}`;
}

function openable(context: StepContext, { role, source }: InputImage): OpenedImage[] {
  if (source.kind !== 'stored') return [];
  const { key, mediaType, filename, bytes } = source;
  return [{ role, mediaType, filename, bytes, open: () => context.content.open(key) }];
}

/** Removes whatever pictures a request had; those already gone are fine. */
export async function removeInputs(context: Pick<StepContext, 'content'>, request: VideoRequest): Promise<void> {
  for (const { source } of request.images) {
    if (source.kind !== 'stored') continue;
    await context.content.remove(source.key).catch((error: unknown) => {
      if (!(error instanceof ContentMissingError)) throw error;
    });
  }
}
