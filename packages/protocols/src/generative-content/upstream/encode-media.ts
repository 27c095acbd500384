import { GatewayError, type LossReport, type MediaBlock } from '@sluice/canonical';
import { parseDataUrl } from '../../text/data-url.ts';
import { isGoogleUri } from '../wire/media-kind.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Writes media as a part: bytes as `inlineData`, URLs that Google can reach as `fileData`.
 * @throws GatewayError `unsupported_parameter` for another vendor's file and any other URL
 */
export function encodeMedia({ kind, source, detail }: MediaBlock, report: LossReport): JsonObject {
  if (detail !== undefined && detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  switch (source.from) {
    case 'base64':
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case 'text':
      return { inlineData: { mimeType: 'text/plain', data: Buffer.from(source.text).toString('base64') } };
    case 'file':
      if (source.protocol === 'generative-content') return fileData(source.id, source.mediaType);
      throw new GatewayError(
        'unsupported_parameter',
        'file_id refers to a file of another vendor. Send the file itself.',
        {
          param: 'file_id',
        },
      );
    case 'url': {
      const inline = parseDataUrl(source.url, `${kind}_url`);
      if (inline) return { inlineData: { mimeType: inline.mediaType, data: inline.data } };
      if (isGoogleUri(source.url)) return fileData(source.url, source.mediaType);
      const param = `${kind}_url`;
      throw new GatewayError('unsupported_parameter', `${param} cannot be fetched by this model. Send the bytes.`, {
        param,
      });
    }
  }
}

function fileData(fileUri: string, mimeType: string | undefined): JsonObject {
  return { fileData: { ...(mimeType !== undefined && { mimeType }), fileUri } };
}
