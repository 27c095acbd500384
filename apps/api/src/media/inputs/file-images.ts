import { type FileObject, GatewayError, type ImageRole, type InputImage } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import type { InlineImage, RequestImage } from '@sluice/protocols';
import { findFile } from '../../http/content/find-file.ts';
import { inBytes } from '../../http/form-limits.ts';
import { printable } from '../../http/printable.ts';

/** An image in a file of the client. Its bytes are not copied yet. */
export interface FoundImage {
  role: ImageRole;
  file: FileObject;
  param: string;
}

export type PreparedImage = InputImage | InlineImage | FoundImage;

/**
 * Finds the files that a request refers to.
 * @throws GatewayError `file_not_found`, `invalid_request` for a file that is not an image, `payload_too_large`
 */
export async function findFileImages(
  files: Pick<FileStore, 'find'>,
  owner: string,
  images: readonly RequestImage[],
  maxBytes: number,
): Promise<PreparedImage[]> {
  return Promise.all(
    images.map(async (image) => {
      if (!('fileId' in image)) return image;
      const { role, fileId, param } = image;
      const file = await findFile(files, owner, { id: fileId, param });
      checkImageFile(file, param, maxBytes);
      return { role, file, param };
    }),
  );
}

function checkImageFile({ mediaType, bytes }: FileObject, param: string, maxBytes: number): void {
  if (!mediaType.startsWith('image/')) {
    const what = `${param} must be the id of an image file. The file has the type ${printable(mediaType)}.`;
    throw new GatewayError('invalid_request', what, { param });
  }
  if (bytes > maxBytes) {
    const what = `${param} must be the id of a file of at most ${inBytes(maxBytes)}. The file has ${inBytes(bytes)}.`;
    throw new GatewayError('payload_too_large', what, { param });
  }
}
