import { type FileObject, IMAGE_MAGIC_BYTES } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import { checkedMediaType, checkFileType, isImageType } from './file-type.ts';
import type { FilesDeps } from './files-deps.ts';

interface Deps {
  files: Pick<FileStore, 'findUpload' | 'openParts' | 'completeUpload'>;
  limits: Pick<FilesDeps['limits'], 'media_types'>;
}

/**
 * Makes a file of the parts of an upload. The media type of an image is that of its first bytes.
 * @param param the name of the client's field for the media type
 * @param names the parts in their order. By default, all parts.
 * @throws GatewayError `upload_not_found`, or `invalid_request`, e.g. if a file with the type of an image is no image. The
 * upload is then still pending.
 */
export async function completeUpload(
  { files, limits }: Deps,
  owner: string,
  id: string,
  param: string,
  names?: readonly string[],
): Promise<FileObject> {
  const { status, filename, purpose, mediaType: declared } = await files.findUpload(owner, id);
  if (status !== 'pending' || !isImageType(declared)) return files.completeUpload(owner, id, names);
  const head = await headOf(await files.openParts(owner, id, names));
  const mediaType = checkedMediaType(declared, head, param);
  checkFileType({ filename, mediaType, purpose }, limits.media_types, param);
  return files.completeUpload(owner, id, names, mediaType);
}

/** Stops reading the stream after its first bytes. */
async function headOf(content: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= IMAGE_MAGIC_BYTES) break;
  }
  return Buffer.concat(chunks);
}
