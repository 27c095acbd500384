import type { ContentBlock, GenerationRequest, MediaBlock } from '@sluice/canonical';
import type { TextRoom } from './text-room.ts';

/** Addresses that Gemini reads itself (Gemini API, `fileData.fileUri`). */
const GOOGLE =
  /^(?:gs:\/\/|https:\/\/(?:generativelanguage\.googleapis\.com|storage\.googleapis\.com|(?:www\.)?youtube\.com|youtu\.be)\/)/i;

/**
 * Fetches the pictures of a request that are given by URL, guarded, and puts their bytes in: for upstreams that take no
 * URLs. The request that was given stays as it is.
 * @throws GatewayError `invalid_request` when a picture may not be fetched or is none
 */
export async function inlineMedia(
  request: GenerationRequest,
  fetchInput: TextRoom['fetchInput'],
  signal: AbortSignal,
): Promise<GenerationRequest> {
  if (!request.messages.some(({ content }) => content.some(isRemote))) return request;
  const inline = async (block: ContentBlock): Promise<ContentBlock> => {
    if (block.type === 'tool-result') {
      const content = await Promise.all(block.content.map(inline));
      return { ...block, content: content as typeof block.content }; // each stays what it was
    }
    return block.type === 'media' ? fetched(block, fetchInput, signal) : block;
  };
  const messages = await Promise.all(
    request.messages.map(async (message) => ({ ...message, content: await Promise.all(message.content.map(inline)) })),
  );
  return { ...request, messages };
}

function isRemote(block: ContentBlock): boolean {
  if (block.type === 'tool-result') return block.content.some(isRemote);
  return block.type === 'media' && block.source.from === 'url' && !GOOGLE.test(block.source.url);
}

async function fetched(
  block: MediaBlock,
  fetchInput: TextRoom['fetchInput'],
  signal: AbortSignal,
): Promise<MediaBlock> {
  if (block.source.from !== 'url' || !isRemote(block)) return block;
  const { body, mediaType } = await fetchInput(block.source.url, signal);
  const pieces: Uint8Array[] = [];
  // The stream of a download yields buffers alone.
  for await (const piece of body as AsyncIterable<Uint8Array>) pieces.push(piece);
  return { ...block, source: { from: 'base64', mediaType, data: Buffer.concat(pieces).toString('base64') } };
}
