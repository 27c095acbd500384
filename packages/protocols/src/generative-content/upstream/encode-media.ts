import { type LossReport, type MediaBlock } from '@sluice/canonical';
import { unsupportedFileId, unsupportedUrl } from '../../text/unsupported.ts';
import { parseDataUrl } from '../../text/data-url.ts';
import { mediaPart } from '../wire/encode-media.ts';
import { isGoogleUri } from '../wire/media-kind.ts';
import type { JsonObject } from '../../json/values.ts';

/** @throws GatewayError `unsupported_parameter` for another vendor's file or a URL that Google cannot reach */
export function encodeMedia({ kind, source, detail, name }: MediaBlock, report: LossReport): JsonObject {
  if (name !== undefined) report({ field: 'filename', how: 'dropped' });
  if (detail !== undefined && detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  if (source.from === 'file' && source.protocol !== 'generative-content') throw unsupportedFileId('file_id');
  if (source.from === 'url') {
    const param = `${kind}_url`;
    const inline = parseDataUrl(source.url, param);
    if (inline) return mediaPart({ from: 'base64', ...inline });
    if (!isGoogleUri(source.url)) throw unsupportedUrl(param);
  }
  return mediaPart(source);
}
