import type { BlockSource } from '@sluice/canonical';
import type { JsonObject } from '../../json/values.ts';

/** Encodes media as a part: bytes as `inlineData`, references as `fileData`. */
export function mediaPart(source: BlockSource): JsonObject {
  switch (source.from) {
    case 'base64':
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case 'text':
      return { inlineData: { mimeType: 'text/plain', data: Buffer.from(source.text).toString('base64') } };
    case 'file':
      return { fileData: { mimeType: source.mediaType, fileUri: source.id } };
    case 'url':
      return { fileData: { mimeType: source.mediaType, fileUri: source.url } };
  }
}
