import type { Citation, MediaBlock, ToolCallBlock } from '@sluice/canonical';
import { dataUrl } from '../../text/data-url.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isSet, objectOrEmpty } from '../../json/values.ts';

/** Lifetime of audio for `expires_at`, in seconds. */
const AUDIO_LIFETIME = 3_600;

export interface FinishDetails {
  stopSequence?: string | undefined;
  detail?: string | undefined;
}

export interface ResponseStyle {
  /** Whether the client uses the legacy `functions` instead of `tools`. */
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

/** Returns the upstream's response id if it has this protocol's prefix, otherwise a new id. */
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

/**
 * Encodes citations of web pages.
 * @param offset position of the text in the message's content
 */
export function encodeCitations(
  citations: readonly Citation[],
  textLength: number,
  offset: number,
  { lost }: ResponseContext,
): unknown[] {
  return citations.flatMap(({ url, title, text, start = 0, end = textLength }) => {
    if (url === undefined) {
      lost?.('citations');
      return [];
    }
    // Like OpenRouter, which quotes the source in `content`.
    const range = { start_index: offset + start, end_index: offset + end };
    return [{ type: 'url_citation', url_citation: { ...range, title: title ?? '', url, content: text } }];
  });
}

/** Reports the parts of a finish reason that have no field in this protocol. */
export function reportFinish({ stopSequence, detail }: FinishDetails, { lost }: ResponseContext): void {
  if (stopSequence !== undefined) lost?.('stop sequence');
  if (detail !== undefined) lost?.('stop details');
}

/**
 * Encodes images as OpenRouter does, and audio as OpenAI does. @returns undefined for media that clients cannot read
 */
export function encodeResponseMedia(
  { kind, source, transcript }: MediaBlock,
  { newId, createdAt, lost }: ResponseContext,
): { images: unknown[] } | { audio: unknown } | undefined {
  if (kind === 'image' && (source.from === 'base64' || source.from === 'url')) {
    const url = source.from === 'url' ? source.url : dataUrl(source);
    return { images: [{ type: 'image_url', image_url: { url } }] };
  }
  if (kind === 'audio' && source.from === 'base64') {
    const expires_at = createdAt + AUDIO_LIFETIME;
    return { audio: { id: newId('audio_'), data: source.data, expires_at, transcript: transcript ?? '' } };
  }
  lost?.(kind);
  return undefined;
}
