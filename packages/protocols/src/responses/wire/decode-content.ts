import type {
  BlockSource,
  CacheMark,
  Citation,
  LossReport,
  MediaBlock,
  RefusalBlock,
  TextBlock,
} from '@sluice/canonical';
import { checkBase64, parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import { asList, asNumber, asRecord, asText, type Fields, invalid, requiredText } from './wire-value.ts';

/** What the content of a message, or the output of a tool, can hold. */
export type ContentPart = TextBlock | RefusalBlock | MediaBlock;

/**
 * Reads the content of a message or the output of a tool.
 * @param param where it stands, for errors
 * @param report told of parts that are not known
 * @throws GatewayError `invalid_request`
 */
export function decodeContent(content: unknown, param: string, report: LossReport): ContentPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalid(param, 'must be a string or an array');
  return content.flatMap((part: unknown, index) => decodePart(part, `${param}[${index}]`, report));
}

function decodePart(part: unknown, param: string, report: LossReport): ContentPart[] {
  if (!isRecord(part)) throw invalid(param, 'must be an object');
  const cache = decodeBreakpoint(part['prompt_cache_breakpoint']);
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const text = requiredText(part['text'], `${param}[text]`);
      const citations = decodeAnnotations(part['annotations']);
      return [{ type: 'text', text, ...(cache && { cache }), ...(citations && { citations }) }];
    }
    case 'refusal':
      return [{ type: 'refusal', text: requiredText(part['refusal'], `${param}[refusal]`) }];
    case 'input_image':
      return [{ ...decodeImage(part, param), ...(cache && { cache }) }];
    case 'input_file':
      return [{ ...decodeFile(part, param), ...(cache && { cache }) }];
    case 'input_audio':
      return [{ ...decodeAudio(part, param), ...(cache && { cache }) }];
    default:
      report({ field: `${param}[${String(part['type'])}]`, how: 'dropped' });
      return [];
  }
}

function decodeImage(part: Fields, param: string): MediaBlock {
  const { image_url: given, file_id: fileId, detail } = part;
  // Clients that grew up with chat completions send its object here.
  const url = asText(given) ?? asText(asRecord(given)?.['url']);
  // `auto` is what absent means.
  const closeness = typeof detail === 'string' && detail !== 'auto' ? { detail } : {};
  if (url !== undefined) {
    return { type: 'media', kind: 'image', source: decodeUrl(url, `${param}[image_url]`), ...closeness };
  }
  if (typeof fileId === 'string') {
    return { type: 'media', kind: 'image', source: { from: 'file', protocol: 'responses', id: fileId }, ...closeness };
  }
  throw invalid(`${param}[image_url]`, 'is required');
}

function decodeFile(part: Fields, param: string): MediaBlock {
  const { file_data: data, file_url: url, file_id: id, filename } = part;
  const source = ((): BlockSource => {
    if (typeof data === 'string') return decodeFileData(data, asText(filename), `${param}[file_data]`);
    if (typeof url === 'string') return decodeUrl(url, `${param}[file_url]`);
    if (typeof id === 'string') return { from: 'file', protocol: 'responses', id };
    throw invalid(`${param}[file_data]`, 'is required');
  })();
  const mediaType = 'mediaType' in source ? source.mediaType : undefined;
  return {
    type: 'media',
    kind: kindOf(mediaType),
    source,
    ...(typeof filename === 'string' && filename !== '' && { name: filename }),
  };
}

function decodeFileData(data: string, filename: string | undefined, param: string): BlockSource {
  const inline = parseDataUrl(data, param);
  if (inline) return { from: 'base64', ...inline };
  const clean = checkBase64(data, param);
  return { from: 'base64', mediaType: mediaTypeOfName(filename) ?? sniffMediaType(clean), data: clean };
}

function decodeAudio(part: Fields, param: string): MediaBlock {
  const audio = asRecord(part['input_audio']);
  const data = requiredText(audio?.['data'], `${param}[input_audio][data]`);
  const format = asText(audio?.['format']) ?? 'wav';
  const inline = parseDataUrl(data, `${param}[input_audio][data]`);
  return {
    type: 'media',
    kind: 'audio',
    source: {
      from: 'base64',
      mediaType: inline?.mediaType ?? (format === 'mp3' ? 'audio/mpeg' : `audio/${format}`),
      data: inline?.data ?? checkBase64(data, `${param}[input_audio][data]`),
    },
  };
}

function decodeUrl(url: string, param: string): BlockSource {
  const inline = parseDataUrl(url, param);
  if (inline) return { from: 'base64', ...inline };
  if (/^https?:\/\//i.test(url)) return { from: 'url', url };
  throw invalid(param, 'must be an http(s) URL or a data URL');
}

function kindOf(mediaType: string | undefined): MediaBlock['kind'] {
  if (mediaType?.startsWith('image/') === true) return 'image';
  if (mediaType?.startsWith('audio/') === true) return 'audio';
  return mediaType?.startsWith('video/') === true ? 'video' : 'document';
}

function mediaTypeOfName(filename: string | undefined): string | undefined {
  const extension = /\.(\w+)$/.exec(filename ?? '')?.[1]?.toLowerCase();
  return extension === undefined ? undefined : EXTENSIONS[extension];
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

function decodeBreakpoint(mark: unknown): CacheMark | undefined {
  const fields = asRecord(mark);
  if (!fields) return undefined;
  const ttl = asText(fields['ttl']);
  return ttl === undefined ? {} : { ttl };
}

/** Reads annotations of an output text; those of files have no place. */
export function decodeAnnotations(annotations: unknown): Citation[] | undefined {
  const citations = asList(annotations).flatMap((annotation): Citation[] => {
    const fields = asRecord(annotation);
    const url = asText(fields?.['url']);
    if (fields?.['type'] !== 'url_citation' || url === undefined) return [];
    const title = asText(fields['title']);
    const start = asNumber(fields['start_index']);
    const end = asNumber(fields['end_index']);
    return [
      {
        url,
        ...(title !== undefined && title !== '' && { title }),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
      },
    ];
  });
  return citations.length > 0 ? citations : undefined;
}
