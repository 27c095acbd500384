import type {
  ContentBlock,
  GatewayError,
  LossReport,
  MediaBlock,
  TextTarget,
  ToolCallBlock,
  ToolResultBlock,
} from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeCache, type WireCache } from '../wire/cache-control.ts';
import { restoreThinking } from '../wire/reasoning-token.ts';
import { unsupportedField } from '../wire/unsupported-field.ts';
import type { JsonObject } from '../../json/values.ts';

export interface WireBlock extends WireCache {
  type: string;
  [field: string]: unknown;
}

const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Whether a block can be sent. The vendor rejects texts without a visible character (claude-code#62396). */
export function isCarried(block: ContentBlock, target: TextTarget, report: LossReport): boolean {
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
 * Writes a block that {@link isCarried}.
 * @throws GatewayError `unsupported_parameter` for media that this protocol cannot hold
 */
export function encodeBlock(block: ContentBlock, target: TextTarget, report: LossReport): WireBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, ...encodeCache(block.cache) };
    case 'refusal':
      return { type: 'text', text: block.text };
    case 'reasoning':
      // isCarried guarantees a token; the vendor would reject an empty one.
      return restoreThinking(block, block.opaqueToken ?? { protocol: 'messages', value: '' });
    case 'media':
      return encodeMedia(block, report);
    case 'tool-call':
      return encodeCall(block, report);
    case 'tool-result':
      return encodeResult(block, report);
    case 'foreign':
      return wireBlock(block.raw, block.kind);
  }
}

function wireBlock(raw: unknown, kind: string): WireBlock {
  return { ...(isRecord(raw) ? raw : {}), type: kind };
}

function encodeCall(block: ToolCallBlock, report: LossReport): WireBlock {
  return {
    type: 'tool_use',
    id: safeCallId(block.callId),
    name: flatToolName(block.name),
    input: argumentsObject(functionArguments(block), report),
    ...encodeCache(block.cache),
  };
}

function encodeResult({ callId, content, isError, cache }: ToolResultBlock, report: LossReport): WireBlock {
  const kept = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const [only] = kept;
  const mark = cache ?? kept.findLast((block) => block.cache)?.cache;
  const written = kept.map((block): WireBlock => {
    const { cache: _inner, ...plain } = block;
    return plain.type === 'text' ? { type: 'text', text: plain.text } : encodeMedia(plain, report);
  });
  return {
    type: 'tool_result',
    tool_use_id: safeCallId(callId),
    ...(kept.length > 0 && { content: kept.length === 1 && only?.type === 'text' ? only.text : written }),
    ...(isError === true && { is_error: true }),
    ...encodeCache(mark),
  };
}

function encodeMedia(block: MediaBlock, report: LossReport): WireBlock {
  // `auto` is the default of every vendor.
  if (block.detail !== undefined && block.detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  const cache = encodeCache(block.cache);
  switch (block.kind) {
    case 'image':
      return { type: 'image', source: imageSource(block), ...cache };
    case 'document':
      return {
        type: 'document',
        source: documentSource(block),
        ...(block.name !== undefined && block.name !== '' && { title: block.name }),
        ...cache,
      };
    case 'audio':
    case 'video':
      throw unsupportedField(block.kind, `The upstream of this model does not accept ${block.kind}.`);
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
  if (source.from === 'text') throw unsupportedField('image', 'An image must not be plain text.');
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

/** A data URL holds the bytes itself. */
function inlineSource({ source }: MediaBlock): MediaBlock['source'] {
  if (source.from !== 'url') return source;
  const inline = parseDataUrl(source.url, 'image_url');
  return inline ? { from: 'base64', ...inline } : source;
}

function remoteSource(source: Extract<MediaBlock['source'], { from: 'url' | 'file' }>, param: string): JsonObject {
  if (source.from === 'url') {
    if (/^https?:\/\//i.test(source.url)) return { type: 'url', url: source.url };
    throw notReachable(param);
  }
  if (source.protocol === 'messages') return { type: 'file', file_id: source.id };
  throw notReachable(param);
}

function notReachable(param: string): GatewayError {
  return unsupportedField(param, 'The upstream of this model cannot fetch this file. Send its bytes or an https URL.');
}

function imageType(mediaType: string, data: string): string {
  if (mediaType === 'image/jpg') return 'image/jpeg';
  return mediaType === 'application/octet-stream' ? sniffMediaType(data) : mediaType;
}
