import type { BlockSource, MediaBlock } from '@sluice/canonical';
import { checkBase64, parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField, requireName, requireObject } from './invalid-field.ts';
import { textOf, type JsonObject } from './json.ts';

const AUDIO_TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
};

/** Reads an `image_url` part. @throws GatewayError `invalid_request` naming the field */
export function decodeImage(part: JsonObject, path: string): MediaBlock {
  const field = `${path}[image_url]`;
  const image = part['image_url'];
  // Several clients send the URL itself.
  const holder = typeof image === 'string' ? { url: image } : requireObject(image, field);
  const source = decodeUrl(requireName(holder['url'], `${field}[url]`), `${field}[url]`);
  const detail = textOf(holder['detail']);
  return { type: 'media', kind: kindOf(source, 'image'), source, ...(detail !== undefined && { detail }) };
}

/** Reads a `video_url` part, as vLLM and DashScope have it. @throws GatewayError `invalid_request` naming the field */
export function decodeVideo(part: JsonObject, path: string): MediaBlock {
  const field = `${path}[video_url]`;
  const video = part['video_url'];
  const holder = typeof video === 'string' ? { url: video } : requireObject(video, field);
  return {
    type: 'media',
    kind: 'video',
    source: decodeUrl(requireName(holder['url'], `${field}[url]`), `${field}[url]`),
  };
}

/** Reads an `input_audio` part. @throws GatewayError `invalid_request` naming the field */
export function decodeAudio(part: JsonObject, path: string): MediaBlock {
  const field = `${path}[input_audio]`;
  const audio = requireObject(part['input_audio'], field);
  const data = requireName(audio['data'], `${field}[data]`);
  const inline = parseDataUrl(data, `${field}[data]`);
  if (inline) return { type: 'media', kind: 'audio', source: { from: 'base64', ...inline } };
  const format = requireName(audio['format'], `${field}[format]`);
  return {
    type: 'media',
    kind: 'audio',
    source: {
      from: 'base64',
      mediaType: AUDIO_TYPES[format] ?? `audio/${format}`,
      data: checkBase64(data, `${field}[data]`),
    },
  };
}

/** Reads a `file` part: bytes, a URL, or a file that lies at the vendor. @throws GatewayError `invalid_request` naming the field */
export function decodeFile(part: JsonObject, path: string): MediaBlock {
  const field = `${path}[file]`;
  const file = requireObject(part['file'], field);
  const name = textOf(file['filename']);
  const id = textOf(file['file_id']);
  const named = name === undefined ? {} : { name };
  if (id !== undefined) {
    return { type: 'media', kind: 'document', source: { from: 'file', protocol: 'chat-completions', id }, ...named };
  }
  const data = textOf(file['file_data']);
  if (data === undefined) throw invalidField(field, 'must have file_data or file_id');
  const source = decodeFileData(data, name, `${field}[file_data]`);
  return { type: 'media', kind: kindOf(source, 'document'), source, ...named };
}

function decodeFileData(data: string, name: string | undefined, param: string): BlockSource {
  if (isUrl(data)) return { from: 'url', url: data };
  const inline = parseDataUrl(data, param);
  if (inline) return { from: 'base64', ...inline };
  const clean = checkBase64(data, param);
  const extension = name?.split('.').at(-1)?.toLowerCase() ?? '';
  return { from: 'base64', mediaType: TYPE_BY_EXTENSION[extension] ?? sniffMediaType(clean), data: clean };
}

function decodeUrl(url: string, param: string): BlockSource {
  const inline = parseDataUrl(url, param);
  if (inline) return { from: 'base64', ...inline };
  if (isUrl(url)) return { from: 'url', url };
  throw invalidField(param, 'must be an http(s) URL or a data URL');
}

/** `gs:` is where Gemini's files may lie. */
function isUrl(text: string): boolean {
  return /^(https?|gs):\/\//i.test(text);
}

/** A data URL tells what it is, whatever the part is called: clients put PDFs into `image_url`. */
function kindOf(source: BlockSource, otherwise: MediaBlock['kind']): MediaBlock['kind'] {
  if (source.from !== 'base64') return otherwise;
  const [type] = source.mediaType.split('/');
  if (type === 'image' || type === 'audio' || type === 'video') return type;
  return source.mediaType === 'application/pdf' || type === 'text' ? 'document' : otherwise;
}

/**
 * Reads a picture of an answer, or of its replay (`images`, as OpenRouter has it). Undefined when it is none: an answer is
 * not refused for a picture that cannot be read.
 */
export function readResponseImage(part: unknown): MediaBlock | undefined {
  const image = isRecord(part) ? part['image_url'] : undefined;
  const url = textOf(isRecord(image) ? image['url'] : image);
  if (url === undefined) return undefined;
  try {
    return { type: 'media', kind: 'image', source: decodeUrl(url, 'images') };
  } catch {
    return undefined;
  }
}
