import { GatewayError, type LossReport, type MediaBlock } from '@sluice/canonical';
import { parseDataUrl } from '../../text/data-url.ts';
import { mediaPart } from '../wire/encode-media.ts';
import { isGoogleUri } from '../wire/media-kind.ts';
import type { JsonObject } from '../../json/values.ts';

/** @throws GatewayError `unsupported_parameter` for another vendor's file and for a URL that Google cannot reach */
export function encodeMedia({ kind, source, detail }: MediaBlock, report: LossReport): JsonObject {
  if (detail !== undefined && detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  if (source.from === 'file' && source.protocol !== 'generative-content') {
    const message = 'file_id refers to a file of another vendor. Send the file itself.';
    throw new GatewayError('unsupported_parameter', message, { param: 'file_id' });
  }
  if (source.from === 'url') {
    const param = `${kind}_url`;
    const inline = parseDataUrl(source.url, param);
    if (inline) return mediaPart({ from: 'base64', ...inline });
    if (!isGoogleUri(source.url)) {
      const message = `${param} cannot be fetched by this model. Send the bytes.`;
      throw new GatewayError('unsupported_parameter', message, { param });
    }
  }
  return mediaPart(source);
}
