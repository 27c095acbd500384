import type { OpenedImage } from '@sluice/canonical';
import { megabytes } from '@sluice/vendors';
import { limitImageFiles } from './limit-params.ts';

/** An image could not be read. The request is valid, and a retry may succeed. */
export class ImageError extends Error {
  constructor(cause: unknown) {
    super(`an image could not be read: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { cause });
    this.name = 'ImageError';
  }
}

/** @throws {ImageError} */
export async function openImage(image: OpenedImage): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await image.open();
  } catch (error) {
    throw new ImageError(error);
  }
}

/** Reads a complete image, for images inside JSON. @throws {ImageError} */
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

/** An image as bare base64. @throws {ImageError} */
export async function imageBase64(image: OpenedImage): Promise<string> {
  return (await imageBytes(image)).toString('base64');
}

/** An image as `data:image/png;base64,…`. @throws {ImageError} */
export async function imageDataUrl(image: OpenedImage): Promise<string> {
  return `data:${image.mediaType};base64,${await imageBase64(image)}`;
}

/**
 * Checks images against a vendor's limit inside JSON, before base64.
 * @param max megabytes of one image, and of all together
 * @throws {UnsupportedParamsError}
 */
export function limitImageBytes(images: readonly OpenedImage[], max: { each: number; all?: number }): void {
  const { each, all = Infinity } = max;
  limitImageFiles(images, { maxBytes: megabytes(each), maxTogether: megabytes(all) });
}
