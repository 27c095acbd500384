import type { BlockSource, ContentBlock, LossReport, MediaBlock } from '@sluice/canonical';
import { checkBase64, parseDataUrl, sniffMediaType } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../../anthropic-style/cache-control.ts';
import { expectKinds } from '../../json/expect-kinds.ts';
import { invalidField } from '../../json/json-field.ts';
import { type JsonObject, asNonEmptyString, asObjects, asString } from '../../json/values.ts';

export function decodeImage(block: JsonObject, param: string): MediaBlock {
  const source = decodeSource(block['source'], `${param}[source]`);
  return { type: 'media', kind: 'image', source, cache: decodeCache(block['cache_control']) };
}

/**
 * Decodes a `document` block. Its `context`, which other protocols lack, becomes a preceding text. A document that
 * consists of blocks is replaced by those blocks.
 * @throws GatewayError `invalid_request`
 */
export function decodeDocument(block: JsonObject, param: string, report: LossReport): ContentBlock[] {
  const source = block['source'];
  const title = asNonEmptyString(block['title']);
  const context = asNonEmptyString(block['context']);
  reportCitations(block, report);
  const blocks: MediaBlock[] =
    isRecord(source) && source['type'] === 'content'
      ? decodeParts(source['content'], `${param}[source][content]`)
      : [{ type: 'media', kind: 'document', source: decodeSource(source, `${param}[source]`) }];
  const titled = blocks.filter(({ kind }) => kind === 'document');
  for (const part of titled.length > 0 ? titled : blocks) part.name = title;
  const last = blocks.at(-1);
  const cache = decodeCache(block['cache_control']);
  if (cache && blocks.some((part) => part.cache)) report({ field: 'cache_control', how: 'clamped' });
  if (last) last.cache = cache ?? last.cache;
  return context === undefined ? blocks : [{ type: 'text', text: context }, ...blocks];
}

/** Only this protocol can cite documents. */
function reportCitations({ citations }: JsonObject, report: LossReport): void {
  if (isRecord(citations) && citations['enabled'] === true) report({ field: 'citations', how: 'dropped' });
}

/** Texts are joined to one document. Images stay images. */
function decodeParts(content: unknown, param: string): MediaBlock[] {
  if (typeof content === 'string') return [textDocument(content)];
  const chunks = asObjects(content);
  const text = chunks.flatMap((chunk) => asString(chunk['text']) ?? []).join('\n\n');
  const images = chunks.filter((chunk) => chunk['type'] === 'image').map((chunk) => decodeImage(chunk, param));
  return [...(text === '' ? [] : [textDocument(text)]), ...images];
}

/** Decodes a `search_result` block as a text document that starts with its source. */
export function decodeSearchResult(block: JsonObject, param: string, report: LossReport): MediaBlock {
  reportCitations(block, report);
  const source = asString(block['source']);
  if (!Array.isArray(block['content'])) throw invalidField(`${param}[content]`, 'must be an array of text blocks');
  const texts = asObjects(block['content']).flatMap((chunk) => asString(chunk['text']) ?? []);
  return {
    ...textDocument([...(source === undefined ? [] : [`Source: ${source}`]), ...texts].join('\n\n')),
    name: asNonEmptyString(block['title']),
    cache: decodeCache(block['cache_control']),
  };
}

function textDocument(text: string): MediaBlock {
  return { type: 'media', kind: 'document', source: { from: 'text', text } };
}

function decodeSource(source: unknown, param: string): BlockSource {
  if (!isRecord(source)) throw invalidField(param, 'must be an object');
  expectKinds(source, { media_type: 'string' }, param);
  const mediaType = asString(source['media_type'])?.toLowerCase();
  switch (source['type']) {
    case 'base64': {
      const data = checkBase64(requiredText(source, 'data', param), `${param}[data]`);
      return { from: 'base64', mediaType: mediaType ?? sniffMediaType(data), data };
    }
    case 'text':
      return { from: 'text', text: requiredText(source, 'data', param) };
    case 'url': {
      const url = requiredText(source, 'url', param);
      const inline = parseDataUrl(url, `${param}[url]`);
      return inline ? { from: 'base64', ...inline } : { from: 'url', url };
    }
    case 'file':
      return { from: 'file', protocol: 'messages', id: requiredText(source, 'file_id', param) };
    default:
      throw invalidField(`${param}[type]`, 'must be base64, text, url, file, or content');
  }
}

export function requiredText(fields: JsonObject, field: string, param: string): string {
  const text = asString(fields[field]);
  if (text === undefined) throw invalidField(`${param}[${field}]`, 'must be a string');
  return text;
}
