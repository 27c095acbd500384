import type { OpenedImage } from '@sluice/canonical';
import { limitPictureFiles, megabytes } from './limit-wish.ts';

/** A picture could not be read: nobody's request is wrong, and another try may read it. */
export class PictureError extends Error {
  constructor(cause: unknown) {
    super(`a picture could not be read: ${cause instanceof Error ? cause.message : 'for no reason'}`, { cause });
    this.name = 'PictureError';
  }
}

/** Opens a picture. @throws {PictureError} */
export async function openPicture(image: OpenedImage): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await image.open();
  } catch (error) {
    throw new PictureError(error);
  }
}

/** Reads a picture whole, for wires that carry it inside JSON. @throws {PictureError} */
async function pictureBytes(image: OpenedImage): Promise<Buffer> {
  const stream = await openPicture(image);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    throw new PictureError(error);
  }
  return Buffer.concat(chunks);
}

/** A picture as bare base64. @throws {PictureError} */
export async function pictureBase64(image: OpenedImage): Promise<string> {
  return (await pictureBytes(image)).toString('base64');
}

/** A picture as `data:image/png;base64,…`. @throws {PictureError} */
export async function pictureDataUrl(image: OpenedImage): Promise<string> {
  return `data:${image.mediaType};base64,${await pictureBase64(image)}`;
}

/**
 * Holds pictures against what a vendor takes inside JSON, before base64.
 * @param most megabytes of one picture, and of all together
 * @throws {UnsupportedWishError}
 */
export function limitPictureBytes(images: readonly OpenedImage[], most: { each: number; all?: number }): void {
  const { each, all = Infinity } = most;
  limitPictureFiles(images, { mostBytes: megabytes(each), mostTogether: megabytes(all) });
}
