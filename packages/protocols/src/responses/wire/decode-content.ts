import type { BlockSource, Citation, LossReport, MediaBlock, RefusalBlock, TextBlock } from '@sluice/canonical';
import type { JsonField } from '../../json/json-field.ts';
import {
  asArray,
  asNonEmptyString,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  ownMember,
} from '../../json/values.ts';
import { checkBase64, parseDataUrl, sniffMediaType } from '../../text/data-url.ts';

/** A part of a message or of a tool's output. */
export type ContentPart = TextBlock | RefusalBlock | MediaBlock;

/** @throws GatewayError `invalid_request` */
export function decodeContent(content: JsonField, report: LossReport): ContentPart[] {
  if (!content.isSet) return [];
  if (content.string !== undefined) return [{ type: 'text', text: content.string }];
  if (!Array.isArray(content.value)) throw content.invalid('must be a string or an array');
  return content.items().flatMap((part) => decodePart(part, report) ?? []);
}

function decodePart(part: JsonField, report: LossReport): ContentPart | undefined {
  const breakpoint = asObject(part.get('prompt_cache_breakpoint').value);
  const cache = breakpoint && { ttl: asString(breakpoint['ttl']) };
  const type = part.get('type').value;
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const citations = decodeAnnotations(part.get('annotations').value);
      return { type: 'text', text: part.get('text').requireString(), cache, citations };
    }
    case 'refusal':
      return { type: 'refusal', text: part.get('refusal').requireString() };
    case 'input_image':
      return { ...decodeImage(part), cache };
    case 'input_file':
      return { ...decodeFile(part), cache };
    case 'input_audio':
      return { ...decodeAudio(part), cache };
    default:
      report({ field: `${part.path}[${String(type)}]`, how: 'dropped' });
      return undefined;
  }
}

function decodeImage(part: JsonField): MediaBlock {
  const image = part.get('image_url');
  // Clients written for chat completions send an object `{url}` here.
  const url = image.string ?? asString(asObject(image.value)?.['url']);
  const detail = part.get('detail').string;
  return {
    type: 'media',
    kind: 'image',
    source: url === undefined ? storedFile(part, image) : decodeUrl(url, image),
    // `auto` is the default.
    detail: detail === 'auto' ? undefined : detail,
  };
}

function decodeFile(part: JsonField): MediaBlock {
  const source = decodeFileSource(part);
  const mediaType = 'mediaType' in source ? source.mediaType : undefined;
  return { type: 'media', kind: kindOf(mediaType), source, name: part.get('filename').nonEmptyString };
}

function decodeFileSource(part: JsonField): BlockSource {
  const data = part.get('file_data');
  const url = part.get('file_url');
  if (data.string !== undefined) return decodeFileData(data.string, part.get('filename').string, data.path);
  if (url.string !== undefined) return decodeUrl(url.string, url);
  return storedFile(part, data);
}

/** @param alternative the field that is required if the part names no file */
function storedFile(part: JsonField, alternative: JsonField): BlockSource {
  const id = part.get('file_id').string;
  if (id === undefined) throw alternative.invalid('is required');
  return { from: 'file', protocol: 'responses', id };
}

function decodeFileData(data: string, filename: string | undefined, path: string): BlockSource {
  const inline = parseDataUrl(data, path);
  if (inline) return { from: 'base64', ...inline };
  const clean = checkBase64(data, path);
  return { from: 'base64', mediaType: mediaTypeOfName(filename) ?? sniffMediaType(clean), data: clean };
}

function decodeAudio(part: JsonField): MediaBlock {
  const audio = part.get('input_audio');
  const field = audio.get('data');
  const data = field.requireString();
  const format = audio.get('format').string ?? 'wav';
  const inline = parseDataUrl(data, field.path);
  return {
    type: 'media',
    kind: 'audio',
    source: {
      from: 'base64',
      mediaType: inline?.mediaType ?? (format === 'mp3' ? 'audio/mpeg' : `audio/${format}`),
      data: inline?.data ?? checkBase64(data, field.path),
    },
  };
}

function decodeUrl(url: string, field: JsonField): BlockSource {
  const inline = parseDataUrl(url, field.path);
  if (inline) return { from: 'base64', ...inline };
  if (/^https?:\/\//i.test(url)) return { from: 'url', url };
  throw field.invalid('must be an http(s) URL or a data URL');
}

function kindOf(mediaType: string | undefined): MediaBlock['kind'] {
  if (mediaType?.startsWith('image/') === true) return 'image';
  if (mediaType?.startsWith('audio/') === true) return 'audio';
  return mediaType?.startsWith('video/') === true ? 'video' : 'document';
}

function mediaTypeOfName(filename: string | undefined): string | undefined {
  const extension = /\.(\w+)$/.exec(filename ?? '')?.[1]?.toLowerCase();
  return ownMember(EXTENSIONS, extension);
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Returns the texts of a reasoning item's parts. */
export function partTexts(parts: unknown): string[] {
  return asArray(parts).flatMap((part) => asString(asObject(part)?.['text']) ?? []);
}

/** Decodes an output text's annotations. */
export function decodeAnnotations(annotations: unknown): Citation[] | undefined {
  const citations = asArray(annotations).flatMap((annotation) => decodeAnnotation(asObject(annotation) ?? {}) ?? []);
  return citations.length > 0 ? citations : undefined;
}

function decodeAnnotation(fields: JsonObject): Citation | undefined {
  const start = asNumber(fields['start_index']);
  const end = asNumber(fields['end_index']);
  const url = asString(fields['url']);
  const fileId = asNonEmptyString(fields['file_id']);
  if (fields['type'] === 'url_citation' && url !== undefined) {
    return { url, title: asNonEmptyString(fields['title']), start, end };
  }
  // `file_citation`, `container_file_citation`, or `file_path`.
  return fileId === undefined ? undefined : { fileId, title: asNonEmptyString(fields['filename']), start, end };
}
