import type { Citation, MediaBlock, ToolCallBlock } from '@sluice/canonical';
import { dataUrl } from '../../text/data-url.ts';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isSet } from '../../json/values.ts';

/** How long a client may think that an answer's audio lasts. */
const AUDIO_SECONDS = 3_600;

/** How a client wants its answers, as its request tells. */
export interface ResponseStyle {
  /** It speaks of `functions`, the old name of tools. */
  isLegacy: boolean;
  /** It wants to see the reasoning. */
  showsReasoning: boolean;
  /** It asked for the usage of a stream. */
  includesUsage: boolean;
}

/** Reads a client's wishes about its answer. */
export function responseStyle({ request, body }: ResponseContext): ResponseStyle {
  const options = body['stream_options'];
  return {
    isLegacy: Array.isArray(body['functions']) && !isSet(body['tools']),
    showsReasoning: request.reasoning?.visible !== 'none',
    includesUsage:
      typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true,
  };
}

/** The id of an answer: the upstream's own where it is of this protocol's kind, else a new one. */
export function responseId(id: string, context: ResponseContext): string {
  return context.responseId ?? (id.startsWith('chatcmpl') ? id : context.newId('chatcmpl-'));
}

/** What a client calls the tool. */
export function calledName(name: string, context: ResponseContext): string {
  return clientToolName(context.request.tools, name).name;
}

/** Arguments as clients parse them: those that are empty would be no JSON. */
export function callArguments({ kind, arguments: text }: Pick<ToolCallBlock, 'kind' | 'arguments'>): string {
  return kind === 'function' && text.trim() === '' ? '{}' : text;
}

/** Where clients carry what a vendor sealed. @param value as wrapped */
export function extraContent(value: string): { google: { thought_signature: string } } {
  return { google: { thought_signature: value } };
}

/** Writes the sources of a text as `annotations`. */
export function encodeCitations(citations: readonly Citation[], textLength: number): unknown[] {
  return citations.map(({ url, title, start, end }) => ({
    type: 'url_citation',
    url_citation: { start_index: start ?? 0, end_index: end ?? textLength, title: title ?? '', url: url ?? '' },
  }));
}

/** Writes an answer's medium: a picture as OpenRouter has it, audio as OpenAI has it; nothing for what clients cannot take. */
export function encodeResponseMedia(
  { kind, source, transcript }: MediaBlock,
  { newId, createdAt }: ResponseContext,
): { images: unknown[] } | { audio: unknown } | undefined {
  if (kind === 'image' && (source.from === 'base64' || source.from === 'url')) {
    const url = source.from === 'url' ? source.url : dataUrl(source);
    return { images: [{ type: 'image_url', image_url: { url } }] };
  }
  if (kind === 'audio' && source.from === 'base64') {
    const expiresAt = createdAt + AUDIO_SECONDS;
    return { audio: { id: newId('audio_'), data: source.data, expires_at: expiresAt, transcript: transcript ?? '' } };
  }
  return undefined;
}
