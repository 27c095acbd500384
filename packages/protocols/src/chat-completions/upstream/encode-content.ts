import {
  GatewayError,
  type CacheBreakpoint,
  type ContentBlock,
  type LossReport,
  type MediaBlock,
} from '@sluice/canonical';
import { dataUrl } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import type { ModelTraits } from './model-traits.ts';

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
 * Encodes blocks as parts of a user's message. Parts of other protocols are dropped and reported.
 * @throws GatewayError `unsupported_parameter` for a medium that this protocol does not support
 */
export function encodeParts(blocks: readonly ContentBlock[], traits: ModelTraits, report: LossReport): WirePart[] {
  return blocks.flatMap((block): WirePart[] => {
    switch (block.type) {
      case 'text':
        return block.text === '' ? [] : [{ type: 'text', text: block.text, ...cacheOf(block, traits, report) }];
      case 'refusal':
        return [{ type: 'text', text: block.text }];
      case 'media':
        return [{ ...encodeMedia(block), ...cacheOf(block, traits, report) }];
      case 'foreign':
        if (block.protocol === 'chat-completions' && isRecord(block.raw)) return [block.raw];
        report({ field: block.kind, how: 'dropped' });
        return [];
      case 'reasoning':
        report({ field: 'reasoning', how: 'dropped' });
        return [];
      // Calls and results are separate messages.
      case 'tool-call':
      case 'tool-result':
        return [];
    }
  });
}

/** A plain string if all parts are text, because many vendors accept no parts. Undefined without parts. */
export function simplestContent(parts: readonly WirePart[]): string | WirePart[] | undefined {
  if (parts.length === 0) return undefined;
  const isPlain = parts.every((part) => part['type'] === 'text' && Object.keys(part).length === 2);
  return isPlain ? parts.map((part) => String(part['text'])).join('\n\n') : [...parts];
}

/** Only OpenAI accepts cache breakpoints. */
function cacheOf({ cache }: { cache?: CacheBreakpoint }, { isOpenAi }: ModelTraits, report: LossReport): WirePart {
  if (!cache) return {};
  if (!isOpenAi) {
    report({ field: 'cache_control', how: 'dropped' });
    return {};
  }
  const ttl = cache.ttl !== undefined && BREAKPOINT_TTLS.has(cache.ttl) ? { ttl: cache.ttl } : {};
  return { prompt_cache_breakpoint: { mode: 'explicit', ...ttl } };
}

function encodeMedia(block: MediaBlock): WirePart {
  const { kind, source, name } = block;
  if (source.from === 'file') {
    if (source.protocol !== 'chat-completions') throw unsupportedMedia(block, 'by a file id of another vendor');
    return { type: 'file', file: { file_id: source.id } };
  }
  if (source.from === 'text') return documentPart(source.text, name);
  const url = source.from === 'url' ? source.url : dataUrl(source);
  switch (kind) {
    case 'image': {
      const detail = block.detail !== undefined && DETAILS.has(block.detail) ? { detail: block.detail } : {};
      return { type: 'image_url', image_url: { url, ...detail } };
    }
    case 'video':
      return { type: 'video_url', video_url: { url } };
    case 'audio': {
      if (source.from === 'url') throw unsupportedMedia(block, 'by URL');
      const format = AUDIO_FORMATS[source.mediaType] ?? source.mediaType.replace(/^audio\//, '');
      return { type: 'input_audio', input_audio: { data: source.data, format } };
    }
    case 'document': {
      if (source.from === 'url') throw unsupportedMedia(block, 'by URL');
      if (source.mediaType.startsWith('text/')) {
        return documentPart(Buffer.from(source.data, 'base64').toString('utf8'), name);
      }
      return { type: 'file', file: { filename: name ?? fileName(source.mediaType), file_data: url } };
    }
  }
}

function documentPart(text: string, name: string | undefined): WirePart {
  const title = name === undefined ? '' : ` title="${name.replaceAll('"', "'")}"`;
  return { type: 'text', text: `<document${title}>\n${text}\n</document>` };
}

function fileName(mediaType: string): string {
  return `document.${mediaType === 'application/pdf' ? 'pdf' : (mediaType.split('/')[1] ?? 'bin')}`;
}

function unsupportedMedia({ kind }: MediaBlock, how: string): GatewayError {
  return new GatewayError('unsupported_parameter', `The upstream of this model does not accept ${kind} ${how}.`, {
    param: kind,
  });
}
