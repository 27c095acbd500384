import { type ContentBlock, GatewayError, type GenerationRequest, type MediaBlock } from '@sluice/canonical';
import type { GenerationDeps } from './generation-deps.ts';

/** Addresses that Gemini reads itself (Gemini API, `fileData.fileUri`). */
const GOOGLE =
  /^(?:gs:\/\/|https:\/\/(?:generativelanguage\.googleapis\.com|storage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\/)/i;

/** All pictures of a request together; they are held in memory, and Gemini takes 20 MiB inline. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Fetches the pictures of a request that are given by URL, guarded, and puts their bytes in: for upstreams that take no
 * URLs. The request that was given stays as it is.
 * @throws GatewayError `invalid_request` when a picture may not be fetched, is none, or does not come; `payload_too_large`
 */
export async function inlineMedia(
  request: GenerationRequest,
  fetchInput: GenerationDeps['fetchInput'],
  signal: AbortSignal,
): Promise<GenerationRequest> {
  if (!request.messages.some(({ content }) => content.some(isRemote))) return request;
  const failed = new AbortController();
  const fetch = imageFetcher(fetchInput, AbortSignal.any([signal, failed.signal]));
  const inline = async (block: ContentBlock): Promise<ContentBlock> => {
    if (block.type === 'tool-result') {
      const content = await Promise.all(block.content.map(inline));
      return { ...block, content: content as typeof block.content }; // each stays what it was
    }
    return block.type === 'media' ? fetch(block) : block;
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
    // Nobody wants the others any more.
    failed.abort();
    throw error;
  }
}

function isRemote(block: ContentBlock): boolean {
  if (block.type === 'tool-result') return block.content.some(isRemote);
  return block.type === 'media' && block.source.from === 'url' && !GOOGLE.test(block.source.url);
}

function imageFetcher(fetchInput: GenerationDeps['fetchInput'], signal: AbortSignal) {
  let left = MAX_BYTES;

  async function read(url: string) {
    const { body, mediaType } = await fetchInput(url, signal);
    const chunks: Uint8Array[] = [];
    // The stream of a download yields buffers alone.
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) throw new GatewayError('payload_too_large', 'The pictures of the request are too large together.');
      chunks.push(chunk);
    }
    return { from: 'base64', mediaType, data: Buffer.concat(chunks).toString('base64') } as const;
  }

  return async (block: MediaBlock): Promise<MediaBlock> => {
    if (block.source.from !== 'url' || !isRemote(block)) return block;
    try {
      return { ...block, source: await read(block.source.url) };
    } catch (cause) {
      if (cause instanceof GatewayError) throw cause;
      throw new GatewayError('invalid_request', 'A picture could not be fetched: its server is away, or broke off.', {
        retryable: true,
        cause,
      });
    }
  };
}
