import {
  type BlockSource,
  type ContentBlock,
  fileIdOfUri,
  type GenerationRequest,
  isFileId,
  type MediaBlock,
  type TextProtocolName,
} from '@sluice/canonical';
import type { StoredReference } from './inline-files.ts';

/**
 * Replaces references to files by references to their copies at a vendor.
 * @param protocol of the vendor
 * @param copies by file id
 */
export function copiesInGeneration(
  generation: GenerationRequest,
  protocol: TextProtocolName,
  copies: ReadonlyMap<string, StoredReference>,
): GenerationRequest {
  const replace = <B extends ContentBlock>(block: B): B => {
    if (block.type === 'tool-result') return { ...block, content: block.content.map(replace) };
    const copy = block.type === 'media' ? copies.get(fileIdOf(block.source) ?? '') : undefined;
    if (!copy) return block;
    const { id, mediaType } = copy;
    return { ...block, kind: kindOf(mediaType), source: { from: 'file', protocol, id, mediaType } };
  };
  const messages = generation.messages.map((message) => ({ ...message, content: message.content.map(replace) }));
  return { ...generation, messages };
}

function kindOf(mediaType: string): MediaBlock['kind'] {
  const [family] = mediaType.split('/', 1);
  return family === 'image' || family === 'audio' || family === 'video' ? family : 'document';
}

function fileIdOf(source: BlockSource): string | undefined {
  if (source.from === 'url') return fileIdOfUri(source.url);
  if (source.from !== 'file') return undefined;
  return isFileId(source.id) ? source.id : fileIdOfUri(source.id);
}
