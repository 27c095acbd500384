import { GatewayError } from '@sluice/canonical';

export interface InlineData {
  mediaType: string;
  data: string;
}

const SIGNATURES: readonly (readonly [prefix: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['JVBERi0', 'application/pdf'],
];

/**
 * Parses a data URL. A missing media type is detected from the first bytes. A percent-encoded body is converted to
 * base64.
 * @returns undefined if the URL is not a data URL
 * @throws GatewayError `invalid_request` for an invalid body
 */
export function parseDataUrl(url: string, param: string): InlineData | undefined {
  const head = /^data:([^;,]*)((?:;[^;,=]+=[^;,]*)*)(;base64)?,/i.exec(url);
  if (!head) return undefined;
  const [all, mediaType = '', , base64] = head;
  const data = base64 === undefined ? encodePercent(url.slice(all.length), param) : url.slice(all.length);
  const clean = checkBase64(data, param);
  return { mediaType: mediaType === '' ? sniffMediaType(clean) : mediaType.toLowerCase(), data: clean };
}

/** Removes whitespace. @throws GatewayError `invalid_request` for invalid base64 */
export function checkBase64(text: string, param: string): string {
  const data = /\s/.test(text) ? text.replaceAll(/\s+/g, '') : text;
  if (data.length % 4 !== 1 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)) return data;
  throw new GatewayError('invalid_request', `${param} is not valid base64.`, { param });
}

export function sniffMediaType(base64: string): string {
  return SIGNATURES.find(([prefix]) => base64.startsWith(prefix))?.[1] ?? 'application/octet-stream';
}

export function dataUrl({ mediaType, data }: InlineData): string {
  return `data:${mediaType};base64,${data}`;
}

function encodePercent(text: string, param: string): string {
  try {
    return Buffer.from(decodeURIComponent(text)).toString('base64');
  } catch {
    throw new GatewayError('invalid_request', `${param} is not a valid data URL.`, { param });
  }
}
