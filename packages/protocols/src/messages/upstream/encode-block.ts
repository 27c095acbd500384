import type {
  ContentBlock,
  LossReport,
  MediaBlock,
  TextTarget,
  ToolCallBlock,
  ToolResultBlock,
} from '@sluice/canonical';
import { reportCitations } from '../../losses/report-citations.ts';
import { safeCallId } from '../../text/call-id.ts';
import { parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeCache, type WireCache } from '../../anthropic-style/cache-control.ts';
import { restoreThinking } from '../wire/reasoning-token.ts';
import { unsupportedField, unsupportedMedia, unsupportedUrl, unsupportedFileId } from '../../text/unsupported.ts';
import { asNonEmptyString, type JsonObject, objectOrEmpty } from '../../json/values.ts';

export interface WireBlock extends WireCache {
  type: string;
  [field: string]: unknown;
}

const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** The vendor rejects texts without a visible character (claude-code#62396). */
export function canEncode(block: ContentBlock, target: TextTarget, report: LossReport): boolean {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text.trim() !== '';
    case 'reasoning':
      if (canReadToken(block.opaqueToken, target)) return true;
      report({ field: 'reasoning', how: 'dropped' });
      return false;
    case 'foreign':
      if (block.protocol === 'messages' && isRecord(block.raw)) return true;
      report({ field: block.kind, how: 'dropped' });
      return false;
    case 'media':
    case 'tool-call':
    case 'tool-result':
      return true;
  }
}

/**
 * Encodes a block that {@link canEncode} accepts.
 * @throws GatewayError `unsupported_parameter` for media that this protocol does not support
 */
export function encodeBlock(block: ContentBlock, target: TextTarget, report: LossReport): WireBlock {
  switch (block.type) {
    case 'text':
      reportCitations(block, report);
      return { type: 'text', text: block.text, cache_control: encodeCache(block.cache) };
    case 'refusal':
      return { type: 'text', text: block.text };
    case 'reasoning':
      // `canEncode` guarantees a token. The vendor rejects an empty token.
      return restoreThinking(block, block.opaqueToken ?? { protocol: 'messages', value: '' });
    case 'media':
      return encodeMedia(block, report);
    case 'tool-call':
      return encodeCall(block, report);
    case 'tool-result':
      return encodeResult(block, report);
    case 'foreign':
      return { ...objectOrEmpty(block.raw), type: block.kind };
  }
}

function encodeCall(block: ToolCallBlock, report: LossReport): WireBlock {
  return {
    type: 'tool_use',
    id: safeCallId(block.callId),
    name: flatToolName(block.name),
    input: argumentsObject(functionArguments(block), report),
    cache_control: encodeCache(block.cache),
  };
}

function encodeResult({ callId, content, isError, cache }: ToolResultBlock, report: LossReport): WireBlock {
  const blocks = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const [first] = blocks;
  // The vendor allows only one cache mark per result.
  const mark = cache ?? blocks.findLast((block) => block.cache)?.cache;
  const marks = [cache, ...blocks.map((block) => block.cache)].filter((one) => one !== undefined);
  if (marks.length > 1) report({ field: 'cache_control', how: 'clamped' });
  const parts = blocks.map((block): WireBlock =>
    block.type === 'text' ? { type: 'text', text: block.text } : encodeMedia({ ...block, cache: undefined }, report),
  );
  const text = blocks.length === 1 && first?.type === 'text' ? first.text : undefined;
  return {
    type: 'tool_result',
    tool_use_id: safeCallId(callId),
    content: text ?? (parts.length > 0 ? parts : undefined),
    is_error: isError === true || undefined,
    cache_control: encodeCache(mark),
  };
}

function encodeMedia(block: MediaBlock, report: LossReport): WireBlock {
  // `auto` is every vendor's default.
  if (block.detail !== undefined && block.detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  const cache_control = encodeCache(block.cache);
  switch (block.kind) {
    case 'image':
      if (block.name !== undefined) report({ field: 'filename', how: 'dropped' });
      return { type: 'image', source: imageSource(block), cache_control };
    case 'document':
      return { type: 'document', source: documentSource(block), title: asNonEmptyString(block.name), cache_control };
    case 'audio':
    case 'video':
      throw unsupportedMedia(block.kind);
  }
}

function imageSource(block: MediaBlock): JsonObject {
  const source = inlineSource(block);
  if (source.from === 'base64') {
    const mediaType = imageType(source.mediaType, source.data);
    if (!IMAGES.has(mediaType)) {
      throw unsupportedField('image', `Images must be JPEG, PNG, GIF, or WebP for this model; got ${mediaType}.`);
    }
    return { type: 'base64', media_type: mediaType, data: source.data };
  }
  if (source.from === 'text')
    throw unsupportedField('image', 'Images must be JPEG, PNG, GIF, or WebP for this model; got plain text.');
  return remoteSource(source, 'image');
}

function documentSource(block: MediaBlock): JsonObject {
  const source = inlineSource(block);
  if (source.from === 'text') return { type: 'text', media_type: 'text/plain', data: source.text };
  if (source.from !== 'base64') return remoteSource(source, 'file');
  const mediaType = source.mediaType === 'application/octet-stream' ? sniffMediaType(source.data) : source.mediaType;
  if (mediaType === 'application/pdf') return { type: 'base64', media_type: mediaType, data: source.data };
  if (/^text\/|^application\/(json|xml|yaml)$/.test(mediaType)) {
    return { type: 'text', media_type: 'text/plain', data: Buffer.from(source.data, 'base64').toString() };
  }
  throw unsupportedField('file', `Documents must be PDF or text for this model; got ${mediaType}.`);
}

function inlineSource({ source }: MediaBlock): MediaBlock['source'] {
  if (source.from !== 'url') return source;
  const inline = parseDataUrl(source.url, 'image_url');
  return inline ? { from: 'base64', ...inline } : source;
}

function remoteSource(source: Extract<MediaBlock['source'], { from: 'url' | 'file' }>, param: string): JsonObject {
  if (source.from === 'url' && /^https?:\/\//i.test(source.url)) return { type: 'url', url: source.url };
  if (source.from === 'file' && source.protocol === 'messages') return { type: 'file', file_id: source.id };
  throw source.from === 'url' ? unsupportedUrl(param) : unsupportedFileId(param);
}

function imageType(mediaType: string, data: string): string {
  if (mediaType === 'image/jpg') return 'image/jpeg';
  return mediaType === 'application/octet-stream' ? sniffMediaType(data) : mediaType;
}
