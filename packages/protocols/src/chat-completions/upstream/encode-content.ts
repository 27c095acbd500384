import { type CacheBreakpoint, type ContentBlock, type LossReport, type MediaBlock } from '@sluice/canonical';
import { unsupportedFileId, unsupportedUrl } from '../../text/unsupported.ts';
import { dataUrl } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import type { ModelTraits } from './model-traits.ts';
import { ownMember } from '../../json/values.ts';

export type WirePart = Record<string, unknown>;

const DETAILS = new Set(['low', 'high', 'auto', 'original']);
const BREAKPOINT_TTLS = new Set(['30m', '12h']);
const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
};

/**
 * Encodes blocks as parts of a user message. Parts of other protocols are dropped and reported.
 * @throws GatewayError `unsupported_parameter` for media that this protocol does not support
 */
export function encodeParts(blocks: readonly ContentBlock[], traits: ModelTraits, report: LossReport): WirePart[] {
  return blocks.flatMap((block, index): WirePart[] => {
    switch (block.type) {
      case 'text':
        return block.text === '' ? [] : [{ type: 'text', text: block.text, ...cacheOf(block, traits, report) }];
      case 'refusal':
        return [{ type: 'text', text: block.text }];
      case 'media':
        if (block.name !== undefined && block.kind !== 'document') report({ field: 'filename', how: 'dropped' });
        return [
          { ...encodeMedia(block, (text) => onOwnLines(text, blocks, index)), ...cacheOf(block, traits, report) },
        ];
      case 'foreign':
        if (block.protocol === 'chat-completions' && isRecord(block.raw)) return [block.raw];
        report({ field: block.kind, how: 'dropped' });
        return [];
      case 'reasoning':
        report({ field: 'reasoning', how: 'dropped' });
        return [];
      // Calls and results are sent as separate messages.
      case 'tool-call':
      case 'tool-result':
        return [];
    }
  });
}

/**
 * Encodes the content of one message. Each element of `messages` holds the parts of one client message. Returns undefined
 * if there are no parts.
 *
 * OpenAI's models receive several texts as separate parts. Many other vendors reject parts, so they receive a plain
 * string if all parts are text. Texts of the same message are joined without a separator, because a word may continue
 * in the next text.
 */
export function encodeContent(
  messages: readonly (readonly WirePart[])[],
  { isOpenAi }: ModelTraits,
): string | WirePart[] | undefined {
  const parts = messages.flat();
  if (parts.length === 0) return undefined;
  const isPlain = parts.every((part) => part['type'] === 'text' && Object.keys(part).length === 2);
  if (!isPlain || (isOpenAi && parts.length > 1)) return parts;
  return messages
    .filter((message) => message.length > 0)
    .map((message) => message.map((part) => String(part['text'])).join(''))
    .join('\n\n');
}

/** Adds line breaks between text that the gateway adds and the client's text around it. */
export function onOwnLines(text: string, blocks: readonly ContentBlock[], index: number): string {
  return `${blocks[index - 1]?.type === 'text' ? '\n' : ''}${text}${index < blocks.length - 1 ? '\n' : ''}`;
}

/** Only OpenAI accepts cache breakpoints. */
function cacheOf({ cache }: { cache?: CacheBreakpoint }, { isOpenAi }: ModelTraits, report: LossReport): WirePart {
  if (!cache) return {};
  if (!isOpenAi) {
    report({ field: 'cache_control', how: 'dropped' });
    return {};
  }
  if (cache.ttl === undefined) return { prompt_cache_breakpoint: { mode: 'explicit' } };
  const isKnown = BREAKPOINT_TTLS.has(cache.ttl);
  if (!isKnown) report({ field: 'cache_control.ttl', how: 'clamped' });
  return { prompt_cache_breakpoint: { mode: 'explicit', ...(isKnown && { ttl: cache.ttl }) } };
}

/** @param place adds line breaks around a document that is sent as text */
function encodeMedia(block: MediaBlock, place: (text: string) => string): WirePart {
  const { kind, source, name } = block;
  if (source.from === 'file') {
    if (source.protocol !== 'chat-completions') throw unsupportedFileId(kind);
    return { type: 'file', file: { file_id: source.id } };
  }
  if (source.from === 'text') return { type: 'text', text: place(documentText(source.text, name)) };
  const url = source.from === 'url' ? source.url : dataUrl(source);
  switch (kind) {
    case 'image': {
      const detail = block.detail !== undefined && DETAILS.has(block.detail) ? { detail: block.detail } : {};
      return { type: 'image_url', image_url: { url, ...detail } };
    }
    case 'video':
      return { type: 'video_url', video_url: { url } };
    case 'audio': {
      if (source.from === 'url') throw unsupportedUrl(kind);
      const format = ownMember(AUDIO_FORMATS, source.mediaType) ?? source.mediaType.replace(/^audio\//, '');
      return { type: 'input_audio', input_audio: { data: source.data, format } };
    }
    case 'document': {
      if (source.from === 'url') throw unsupportedUrl(kind);
      if (source.mediaType.startsWith('text/')) {
        const text = Buffer.from(source.data, 'base64').toString('utf8');
        return { type: 'text', text: place(documentText(text, name)) };
      }
      return { type: 'file', file: { filename: name ?? fileName(source.mediaType), file_data: url } };
    }
  }
}

function documentText(text: string, name: string | undefined): string {
  const title = name === undefined ? '' : ` title="${name.replaceAll('"', "'")}"`;
  return `<document${title}>\n${text}\n</document>`;
}

function fileName(mediaType: string): string {
  return `document.${mediaType === 'application/pdf' ? 'pdf' : (mediaType.split('/')[1] ?? 'bin')}`;
}
