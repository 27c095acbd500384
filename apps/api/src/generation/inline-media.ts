import {
  type ContentBlock,
  ContentTooLargeError,
  GatewayError,
  type GenerationRequest,
  type MediaBlock,
  type UpstreamProtocolName,
} from '@sluice/canonical';
import type { GenerationDeps } from './generation-deps.ts';

/**
 * URLs that upstreams fetch themselves, of the protocols that do not accept every URL (Gemini API, `fileData.fileUri`;
 * Bedrock, `S3Location`).
 */
const OWN_URLS: Readonly<Partial<Record<UpstreamProtocolName, RegExp>>> = {
  'generative-content':
    /^(?:gs:\/\/|https:\/\/(?:generativelanguage\.googleapis\.com|storage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\/)/i,
  converse: /^s3:\/\//i,
};

/** Images are buffered in memory. Gemini accepts 20 MiB inline. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Replaces image URLs with the images' bytes, if the upstream's protocol does not support URLs. Only fetches public
 * addresses.
 * @throws GatewayError `invalid_request` if an image is not allowed, invalid, or unavailable; `payload_too_large`
 */
export async function inlineMedia(
  request: GenerationRequest,
  protocol: UpstreamProtocolName,
  fetchInput: GenerationDeps['fetchInput'],
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const own = OWN_URLS[protocol];
  if (!own) return request;
  const isRemote = (block: ContentBlock): boolean => {
    if (block.type === 'tool-result') return block.content.some(isRemote);
    return block.type === 'media' && block.source.from === 'url' && !own.test(block.source.url);
  };
  if (!request.messages.some(({ content }) => content.some(isRemote))) return request;
  const failed = new AbortController();
  const fetch = imageFetcher(fetchInput, AbortSignal.any([signal, failed.signal]));
  const inline = async (block: ContentBlock): Promise<ContentBlock> => {
    if (block.type === 'tool-result') {
      const content = await Promise.all(block.content.map(inline));
      // The cast is safe because each block keeps its type.
      return { ...block, content: content as typeof block.content };
    }
    return block.type === 'media' && isRemote(block) ? fetch(block) : block;
  };
  try {
    const messages = await Promise.all(
      request.messages.map(async (message) => ({
        ...message,
        content: await Promise.all(message.content.map(inline)),
      })),
    );
    return { ...request, messages };
  } catch (error) {
    // One failure rejects the entire request, so the other downloads are aborted.
    failed.abort();
    throw error;
  }
}

function imageFetcher(fetchInput: GenerationDeps['fetchInput'], signal: AbortSignal) {
  let remaining = MAX_BYTES;

  async function read(url: string) {
    const { body, mediaType } = await fetchInput(url, signal);
    const chunks: Uint8Array[] = [];
    // The cast is safe because a download yields buffers.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      remaining -= chunk.length;
      if (remaining < 0)
        throw new GatewayError(
          'payload_too_large',
          `The images of the request must be at most ${MAX_BYTES / 1024 / 1024} MiB in total. Send fewer or smaller images.`,
        );
      chunks.push(chunk);
    }
    return { from: 'base64', mediaType, data: Buffer.concat(chunks).toString('base64') } as const;
  }

  return async (block: MediaBlock): Promise<MediaBlock> => {
    if (block.source.from !== 'url') return block;
    try {
      return { ...block, source: await read(block.source.url) };
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause;
      if (cause instanceof ContentTooLargeError) {
        const message = `The image at the URL exceeds ${cause.maxBytes} bytes. Send a smaller image.`;
        throw new GatewayError('payload_too_large', message, { cause });
      }
      throw new GatewayError(
        'invalid_request',
        'The image could not be fetched: its server is unavailable or closed the connection. Retry shortly, or send the image itself.',
        {
          retryable: true,
          cause,
        },
      );
    }
  };
}
