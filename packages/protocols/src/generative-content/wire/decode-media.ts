import type { BlockSource, MediaBlock } from '@sluice/canonical';
import { checkBase64, sniffMediaType } from '../../text/data-url.ts';
import { isRecord } from '../../json/is-record.ts';
import type { JsonField } from '../../json/json-field.ts';
import { isGoogleFile, mediaKind } from './media-kind.ts';
import { type JsonObject, asNonEmptyString } from '../../json/values.ts';

/**
 * Decodes `inlineData` or `fileData` of a part.
 * @throws GatewayError `invalid_request` for invalid base64
 */
export function decodeMedia(part: JsonField): MediaBlock | undefined {
  const inlineData = part.get('inlineData');
  if (isRecord(inlineData.value)) return inlineMedia(inlineData.value, inlineData.get('data').path);
  const fileData = part.get('fileData').value;
  return isRecord(fileData) ? fileMedia(fileData) : undefined;
}

function inlineMedia(blob: JsonObject, param: string): MediaBlock {
  // Protocol buffers also accept URL-safe base64.
  const text = typeof blob['data'] === 'string' ? blob['data'].replaceAll('-', '+').replaceAll('_', '/') : '';
  const data = checkBase64(text, param);
  const mediaType = asNonEmptyString(blob['mimeType'])?.toLowerCase() ?? sniffMediaType(data);
  const source: BlockSource =
    mediaType === 'text/plain'
      ? { from: 'text', text: Buffer.from(data, 'base64').toString() }
      : { from: 'base64', mediaType, data };
  return { type: 'media', kind: mediaKind(mediaType), source, name: asNonEmptyString(blob['displayName']) };
}

function fileMedia(file: JsonObject): MediaBlock {
  const url = asNonEmptyString(file['fileUri']) ?? '';
  const mediaType = asNonEmptyString(file['mimeType'])?.toLowerCase();
  const source: BlockSource = isGoogleFile(url)
    ? { from: 'file', protocol: 'generative-content', id: url, mediaType }
    : { from: 'url', url, mediaType };
  return { type: 'media', kind: mediaKind(mediaType, url), source, name: asNonEmptyString(file['displayName']) };
}
