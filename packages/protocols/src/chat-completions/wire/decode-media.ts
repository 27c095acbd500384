import type { BlockSource, MediaBlock } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, ownMember } from '../../json/values.ts';
import { checkBase64, parseDataUrl, sniffMediaType } from '../../text/data-url.ts';

const AUDIO_TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
};

export function decodeImage(part: JsonField): MediaBlock {
  const image = part.get('image_url');
  const source = decodeUrl(urlOf(image));
  const detail = isRecord(image.value) ? asNonEmptyString(image.value['detail']) : undefined;
  return { type: 'media', kind: kindOf(source, 'image'), source, detail };
}

/** vLLM and DashScope define `video_url`. */
export function decodeVideo(part: JsonField): MediaBlock {
  return { type: 'media', kind: 'video', source: decodeUrl(urlOf(part.get('video_url'))) };
}

/** Some clients send the URL string instead of `{url}`. */
function urlOf(holder: JsonField): JsonField {
  return holder.string === undefined ? holder.get('url') : new JsonField(holder.string, `${holder.path}[url]`);
}

export function decodeAudio(part: JsonField): MediaBlock {
  const audio = part.get('input_audio');
  const field = audio.get('data');
  const data = field.requireNonEmptyString();
  const inline = parseDataUrl(data, field.path);
  if (inline) return { type: 'media', kind: 'audio', source: { from: 'base64', ...inline } };
  const format = audio.get('format').requireNonEmptyString();
  const mediaType = ownMember(AUDIO_TYPES, format) ?? `audio/${format}`;
  return { type: 'media', kind: 'audio', source: { from: 'base64', mediaType, data: checkBase64(data, field.path) } };
}

/** Decodes a file sent as bytes, as a URL, or as a vendor's file id. */
export function decodeFile(part: JsonField): MediaBlock {
  const file = part.get('file');
  const name = file.get('filename').nonEmptyString;
  const id = file.get('file_id').nonEmptyString;
  if (id !== undefined) {
    return { type: 'media', kind: 'document', source: { from: 'file', protocol: 'chat-completions', id }, name };
  }
  const data = file.get('file_data');
  if (data.nonEmptyString === undefined) throw file.invalid('must have file_data or file_id');
  const source = decodeFileData(data.nonEmptyString, name, data.path);
  return { type: 'media', kind: kindOf(source, 'document'), source, name };
}

function decodeFileData(data: string, name: string | undefined, path: string): BlockSource {
  if (isUrl(data)) return { from: 'url', url: data };
  const inline = parseDataUrl(data, path);
  if (inline) return { from: 'base64', ...inline };
  const clean = checkBase64(data, path);
  const extension = name?.split('.').at(-1)?.toLowerCase() ?? '';
  return { from: 'base64', mediaType: ownMember(TYPE_BY_EXTENSION, extension) ?? sniffMediaType(clean), data: clean };
}

function decodeUrl(field: JsonField): BlockSource {
  const url = field.requireNonEmptyString();
  const inline = parseDataUrl(url, field.path);
  if (inline) return { from: 'base64', ...inline };
  if (isUrl(url)) return { from: 'url', url };
  throw field.invalid('must be an http(s) URL or a data URL');
}

/** Gemini accepts files at `gs:` URLs. */
function isUrl(text: string): boolean {
  return /^(https?|gs):\/\//i.test(text);
}

/** A data URL's media type takes precedence, because clients put PDFs into `image_url`. */
function kindOf(source: BlockSource, otherwise: MediaBlock['kind']): MediaBlock['kind'] {
  if (source.from !== 'base64') return otherwise;
  const [type] = source.mediaType.split('/');
  if (type === 'image' || type === 'audio' || type === 'video') return type;
  return source.mediaType === 'application/pdf' || type === 'text' ? 'document' : otherwise;
}

/**
 * Decodes an element of a response's `images`, in OpenRouter's format.
 * @returns undefined for an invalid image, which must not fail the response
 */
export function decodeResponseImage(part: unknown): MediaBlock | undefined {
  const image = isRecord(part) ? part['image_url'] : undefined;
  const url = asNonEmptyString(isRecord(image) ? image['url'] : image);
  if (url === undefined) return undefined;
  try {
    return { type: 'media', kind: 'image', source: decodeUrl(new JsonField(url, 'images')) };
  } catch {
    return undefined;
  }
}
