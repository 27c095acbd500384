import type { OpenedImage } from '@sluice/canonical';

/** An image cannot be read. The request is valid, so a retry may succeed. */
export class ImageError extends Error {
  constructor(cause: unknown) {
    super(`an image could not be read: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { cause });
    this.name = 'ImageError';
  }
}

export async function openImage(image: OpenedImage): Promise<AsyncIterable<Uint8Array>> {
  try {
    return await image.open();
  } catch (error) {
    throw new ImageError(error);
  }
}

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

export async function imageBase64(image: OpenedImage): Promise<string> {
  return (await imageBytes(image)).toString('base64');
}

export async function imageDataUrl(image: OpenedImage): Promise<string> {
  return `data:${image.mediaType};base64,${await imageBase64(image)}`;
}
