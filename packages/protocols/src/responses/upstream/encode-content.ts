import { type MediaBlock, type TextBlock } from '@sluice/canonical';
import { unsupportedFileId, unsupportedMedia } from '../../text/unsupported.ts';
import { dataUrl } from '../../text/data-url.ts';
import { type JsonObject, ownMember } from '../../json/values.ts';

/** @throws GatewayError `unsupported_parameter` for unsupported media */
export function encodeInputPart(block: TextBlock | MediaBlock, cacheMarks: boolean): JsonObject {
  const part = block.type === 'text' ? { type: 'input_text', text: block.text } : encodeMedia(block);
  if (!cacheMarks || !block.cache) return part;
  return { ...part, prompt_cache_breakpoint: { mode: 'explicit', ttl: knownTtl(block.cache.ttl) } };
}

/** Returns a TTL that OpenAI supports. Any other TTL becomes OpenAI's default. */
export function knownTtl(ttl: string | undefined): string | undefined {
  return ttl === '30m' || ttl === '12h' ? ttl : undefined;
}

function encodeMedia(block: MediaBlock): JsonObject {
  const { kind, source } = block;
  if (source.from === 'text') return { type: 'input_text', text: titledText(source.text, block.name) };
  if (kind === 'image') return { type: 'input_image', ...imageSource(block), detail: block.detail ?? 'auto' };
  if (kind === 'document') return { type: 'input_file', ...fileSource(block) };
  if (kind === 'audio' && source.from === 'base64') {
    const format = ownMember(AUDIO_FORMATS, source.mediaType);
    if (format !== undefined) return { type: 'input_audio', input_audio: { data: source.data, format } };
  }
  throw unsupportedMedia(kind);
}

const AUDIO_FORMATS: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

function imageSource(block: MediaBlock): JsonObject {
  const { source } = block;
  if (source.from === 'base64') return { image_url: dataUrl(source) };
  return source.from === 'url' ? { image_url: source.url } : { file_id: fileId(block) };
}

function fileSource(block: MediaBlock): JsonObject {
  const { source, name } = block;
  if (source.from === 'base64') {
    // OpenAI rejects a file without a name.
    const filename = name ?? `document.${source.mediaType === 'application/pdf' ? 'pdf' : 'txt'}`;
    return { filename, file_data: dataUrl(source) };
  }
  return source.from === 'url' ? { file_url: source.url } : { file_id: fileId(block) };
}

/** OpenAI's two protocols share file ids. */
function fileId({ source, kind }: MediaBlock): string {
  const isOpenAi =
    source.from === 'file' && (source.protocol === 'responses' || source.protocol === 'chat-completions');
  if (isOpenAi) return source.id;
  throw unsupportedFileId(kind);
}

function titledText(text: string, name: string | undefined): string {
  const title = name === undefined ? '' : ` title=${JSON.stringify(name)}`;
  return `<document${title}>\n${text}\n</document>`;
}
