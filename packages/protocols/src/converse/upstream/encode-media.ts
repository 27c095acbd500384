import type { MediaBlock } from '@sluice/canonical';
import type { JsonObject } from '../../json/values.ts';
import { parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { unsupportedField, unsupportedFileId, unsupportedMedia, unsupportedUrl } from '../../text/unsupported.ts';

/** The `format` of each media type (@aws-sdk/client-bedrock-runtime, `ImageFormat` and its siblings). */
const FORMATS: Readonly<Record<MediaBlock['kind'], Readonly<Record<string, string>>>> = {
  image: { 'image/png': 'png', 'image/jpeg': 'jpeg', 'image/jpg': 'jpeg', 'image/gif': 'gif', 'image/webp': 'webp' },
  document: {
    'application/pdf': 'pdf',
    'text/csv': 'csv',
    'text/html': 'html',
    'text/markdown': 'md',
    'text/plain': 'txt',
    'application/json': 'txt',
    'application/xml': 'txt',
    'application/yaml': 'txt',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  },
  video: {
    'video/mp4': 'mp4',
    'video/quicktime': 'mov',
    'video/x-matroska': 'mkv',
    'video/webm': 'webm',
    'video/x-flv': 'flv',
    'video/mpeg': 'mpeg',
    'video/x-ms-wmv': 'wmv',
    'video/3gpp': 'three_gp',
  },
  audio: {
    'audio/mpeg': 'mp3',
    'audio/mp3': 'mp3',
    'audio/wav': 'wav',
    'audio/x-wav': 'wav',
    'audio/flac': 'flac',
    'audio/ogg': 'ogg',
    'audio/opus': 'opus',
    'audio/aac': 'aac',
    'audio/mp4': 'm4a',
    'audio/webm': 'webm',
    'audio/pcm': 'pcm',
  },
};

const FIELDS: Readonly<Record<MediaBlock['kind'], string>> = {
  image: 'image_url',
  document: 'file',
  video: 'video',
  audio: 'audio',
};

/**
 * Encodes media as `{image: …}`, `{document: …}`, `{video: …}`, or `{audio: …}`. Converse accepts bytes and S3 objects.
 * @throws GatewayError `unsupported_parameter` for other URLs, file ids, and media types
 */
export function encodeMedia(block: MediaBlock): JsonObject {
  const { kind } = block;
  const param = FIELDS[kind];
  const { mediaType, source } = sourceOf(block, param);
  const format = FORMATS[kind][mediaType] ?? (kind === 'document' && mediaType.startsWith('text/') ? 'txt' : undefined);
  if (format === undefined) {
    if (kind === 'audio' || kind === 'video') throw unsupportedMedia(mediaType);
    const accepted = [...new Set(Object.values(FORMATS[kind]))].join(', ');
    throw unsupportedField(param, `The media type \`${mediaType}\` is not supported here. Send one of: ${accepted}.`);
  }
  if (kind !== 'document') return { [kind]: { format, source } };
  return { document: { format, name: documentName(block.name), source } };
}

function sourceOf({ kind, source }: MediaBlock, param: string): { mediaType: string; source: JsonObject } {
  switch (source.from) {
    case 'base64':
      return bytesOf(source.mediaType, source.data);
    case 'text':
      // A text is no image, video, or audio; the media type then refuses it.
      return { mediaType: 'text/plain', source: { bytes: Buffer.from(source.text).toString('base64') } };
    case 'file':
      throw unsupportedFileId(param);
    case 'url': {
      const inline = parseDataUrl(source.url, param);
      if (inline) return bytesOf(inline.mediaType, inline.data);
      if (!/^s3:\/\//i.test(source.url)) throw unsupportedUrl(param);
      const mediaType = source.mediaType ?? typeByEnding(kind, source.url);
      return { mediaType, source: { s3Location: { uri: source.url } } };
    }
  }
}

function bytesOf(mediaType: string, data: string): { mediaType: string; source: JsonObject } {
  const known = mediaType === 'application/octet-stream' ? sniffMediaType(data) : mediaType.toLowerCase();
  return { mediaType: known.split(';', 1)[0] ?? known, source: { bytes: data } };
}

function typeByEnding(kind: MediaBlock['kind'], url: string): string {
  const ending = /\.(\w+)$/.exec(url)?.[1]?.toLowerCase() ?? '';
  const format = ending === 'jpg' ? 'jpeg' : ending;
  return Object.entries(FORMATS[kind]).find(([, name]) => name === format)?.[0] ?? `a file with the ending ${ending}`;
}

/**
 * Names must consist of letters, digits, spaces, hyphens, parentheses, and square brackets (Bedrock API reference,
 * `DocumentBlock`).
 */
function documentName(name: string | undefined): string {
  const clean = (name ?? '').replaceAll(/[^A-Za-z0-9 \-()[\]]+/g, ' ').replaceAll(/ {2,}/g, ' ');
  return clean.trim().slice(0, 200) || 'document';
}
