import type { Readable } from 'node:stream';
import { GatewayError, IMAGE_MAGIC_BYTES, imageType } from '@sluice/canonical';
import type { Download } from './download.ts';
import { DownloadError } from './download-error.ts';
import { discard } from './send-request.ts';

/** A picture that a client has named by URL, on its way in. */
export interface FetchedInput {
  /** With back-pressure; read it to the end or destroy it. */
  body: Readable;
  /** Told by the first bytes, whatever the server says, e.g. `image/png`. */
  mediaType: string;
}

/** Takes the first bytes off a stream and puts them back. */
async function peek(body: Readable): Promise<Buffer> {
  let head = Buffer.alloc(0);
  // The stream of a download yields buffers alone.
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

/** A failure that another try cannot mend is the client's; it is said in a form that may be shown. */
function refusal(error: DownloadError): GatewayError | undefined {
  switch (error.failure) {
    case 'invalid_url':
    case 'forbidden_address':
    case 'too_many_redirects':
    case 'too_large':
      return new GatewayError('invalid_request', `The picture could not be fetched: ${error.message}.`, {
        cause: error,
      });
    case 'status': {
      const passing = error.status === undefined || error.status >= 500 || [408, 425, 429].includes(error.status);
      return passing
        ? undefined
        : new GatewayError('invalid_request', `The picture could not be fetched: ${error.message}.`, { cause: error });
    }
    case 'idle':
    case 'network':
    case 'aborted':
      return undefined;
  }
}

/**
 * Fetches a picture from a URL that a client has given.
 * @throws {GatewayError} `invalid_request` when the URL may not be fetched, is refused, or holds no picture;
 *   {@link DownloadError} for what another try may mend.
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
    throw new GatewayError('invalid_request', 'The URL leads to something that is no picture.');
  } catch (error) {
    throw (error instanceof DownloadError ? refusal(error) : undefined) ?? error;
  }
}
