import type { OpenedImage } from '@sluice/canonical';
import { megabytes } from '@sluice/vendors';
import { limitImageFiles } from './limit-params.ts';

/** A picture could not be read: nobody's request is wrong, and another try may read it. */
export class ImageError extends Error {
  constructor(cause: unknown) {
    super(`a picture could not be read: ${cause instanceof Error ? cause.message : 'for no reason'}`, { cause });
    this.name = 'ImageError';
  }
}

/** Opens a picture. @throws {ImageError} */
export async function openImage(image: OpenedImage): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await image.open();
  } catch (error) {
    throw new ImageError(error);
  }
}

/** Reads a picture whole, for wires that carry it inside JSON. @throws {ImageError} */
async function imageBytes(image: OpenedImage): Promise<Buffer> {
  const stream = await openImage(image);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    throw new ImageError(error);
  }
  return Buffer.concat(chunks);
}

/** A picture as bare base64. @throws {ImageError} */
export async function imageBase64(image: OpenedImage): Promise<string> {
  return (await imageBytes(image)).toString('base64');
}

/** A picture as `data:image/png;base64,…`. @throws {ImageError} */
export async function imageDataUrl(image: OpenedImage): Promise<string> {
  return `data:${image.mediaType};base64,${await imageBase64(image)}`;
}

/**
 * Holds pictures against what a vendor takes inside JSON, before base64.
 * @param max megabytes of one picture, and of all together
 * @throws {UnsupportedParamsError}
 */
export function limitImageBytes(images: readonly OpenedImage[], max: { each: number; all?: number }): void {
  const { each, all = Infinity } = max;
  limitImageFiles(images, { maxBytes: megabytes(each), maxTogether: megabytes(all) });
}
