import type { Readable } from 'node:stream';
import { ContentTooLargeError, GatewayError, IMAGE_MAGIC_BYTES, imageType } from '@sluice/canonical';
import type { Download } from './download.ts';
import { DownloadError } from './download-error.ts';
import { discard } from '../send-request.ts';

export interface FetchedInput {
  /** The caller must consume or destroy it. The stream applies backpressure. */
  body: Readable;
  /** Media type detected from the first bytes (e.g. `image/png`), regardless of the declared type. */
  mediaType: string;
}

async function peek(body: Readable): Promise<Buffer> {
  let head = Buffer.alloc(0);
  // The type is correct because a download yields only buffers.
  const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    head = Buffer.concat([head, chunk]);
    if (head.byteLength >= IMAGE_MAGIC_BYTES) {
      body.unshift(head);
      return head;
    }
  }
  return head;
}

/** Maps failures that a retry cannot fix to client errors. Returns undefined for all others. */
function refusal(error: DownloadError): GatewayError | undefined {
  switch (error.failure) {
    case 'invalid_url':
    case 'forbidden_address':
    case 'too_many_redirects':
    case 'too_large':
      return new GatewayError('invalid_request', `The image could not be fetched: ${error.message}`, {
        cause: error,
      });
    case 'status': {
      const passing = error.status === undefined || error.status >= 500 || [408, 425, 429].includes(error.status);
      return passing
        ? undefined
        : new GatewayError('invalid_request', `The image could not be fetched: ${error.message}`, { cause: error });
    }
    case 'idle':
    case 'network':
    case 'aborted':
      return undefined;
  }
}

/**
 * Fetches an image from a client's URL.
 * @throws {GatewayError} `invalid_request` if the URL is not allowed, the server rejects it, or it is not an image;
 * {@link DownloadError} for failures that a retry may fix
 */
export async function fetchInput(download: Download, url: string, signal: AbortSignal): Promise<FetchedInput> {
  try {
    const { status, body } = await download(url, { signal });
    if (status !== 200) {
      discard(body);
      throw new DownloadError('status', { status });
    }
    const mediaType = imageType(await peek(body));
    if (mediaType !== undefined) return { body, mediaType };
    discard(body);
    throw new GatewayError(
      'invalid_request',
      'The URL does not lead to an image. Send the URL of a PNG, JPEG, WebP, or GIF image.',
    );
  } catch (error) {
    const failure = error instanceof ContentTooLargeError ? new DownloadError('too_large') : error;
    throw (failure instanceof DownloadError ? refusal(failure) : undefined) ?? failure;
  }
}
