import type { OpenedImage } from '@sluice/canonical';
import { limitPictureFiles, megabytes } from './limit-wish.ts';

/** Reads a picture whole, for wires that carry it inside JSON. */
async function pictureBytes(image: OpenedImage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await image.open()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A picture as bare base64. */
export async function pictureBase64(image: OpenedImage): Promise<string> {
  return (await pictureBytes(image)).toString('base64');
}

/** A picture as `data:image/png;base64,…`. */
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
