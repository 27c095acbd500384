import type { Citation, MediaBlock, ToolCallBlock } from '@sluice/canonical';
import { dataUrl } from '../../text/data-url.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isSet, objectOrEmpty } from '../../json/values.ts';

/** `expires_at` of audio, in seconds after the request. */
const AUDIO_LIFETIME = 3_600;

export interface ResponseStyle {
  /** Whether the client uses `functions`, the predecessor of tools. */
  isLegacy: boolean;
  showsReasoning: boolean;
  includesUsage: boolean;
}

export function responseStyle({ request, body }: ResponseContext): ResponseStyle {
  return {
    isLegacy: Array.isArray(body['functions']) && !isSet(body['tools']),
    showsReasoning: request.reasoning?.visible !== 'none',
    includesUsage: objectOrEmpty(body['stream_options'])['include_usage'] === true,
  };
}

/** The upstream's response id if it has this protocol's prefix, otherwise a new one. */
export function responseId(id: string, context: ResponseContext): string {
  return context.responseId ?? (id.startsWith('chatcmpl') ? id : context.newId('chatcmpl-'));
}

export function calledName(name: string, context: ResponseContext): string {
  return clientToolName(context.request.tools, name).name;
}

/** Clients parse arguments as JSON, so an empty text becomes `{}`. */
export function callArguments({ kind, arguments: text }: Pick<ToolCallBlock, 'kind' | 'arguments'>): string {
  return kind === 'function' && text.trim() === '' ? '{}' : text;
}

export function encodeCitations(citations: readonly Citation[], textLength: number): unknown[] {
  return citations.map(({ url, title, start, end }) => ({
    type: 'url_citation',
    url_citation: { start_index: start ?? 0, end_index: end ?? textLength, title: title ?? '', url: url ?? '' },
  }));
}

/** Encodes images as OpenRouter does and audio as OpenAI does. @returns undefined for media that clients cannot read */
export function encodeResponseMedia(
  { kind, source, transcript }: MediaBlock,
  { newId, createdAt }: ResponseContext,
): { images: unknown[] } | { audio: unknown } | undefined {
  if (kind === 'image' && (source.from === 'base64' || source.from === 'url')) {
    const url = source.from === 'url' ? source.url : dataUrl(source);
    return { images: [{ type: 'image_url', image_url: { url } }] };
  }
  if (kind === 'audio' && source.from === 'base64') {
    const expires_at = createdAt + AUDIO_LIFETIME;
    return { audio: { id: newId('audio_'), data: source.data, expires_at, transcript: transcript ?? '' } };
  }
  return undefined;
}
