import type { InlineImage } from '../contracts/media-protocol.ts';
import { ImageInputSchema, readImage } from '../media/input-image.ts';
import { VIDEO_IMAGE_FIELDS } from '../media/video-params.ts';

/** An image inside a request, as base64. */
export type EmbeddedImage = Omit<InlineImage, 'role'>;

/**
 * Replaces the images inside the fields of `POST /v1/videos` by the ids of files. Invalid images stay, so that the
 * validation of the request reports them.
 * @param store returns the id of the file with the image
 */
export async function replaceImages(
  fields: Readonly<Record<string, unknown>>,
  store: (image: EmbeddedImage) => Promise<string>,
): Promise<Record<string, unknown>> {
  const replaced: Record<string, unknown> = { ...fields };
  for (const name of VIDEO_IMAGE_FIELDS) {
    const value = fields[name];
    if (Array.isArray(value)) {
      const images: unknown[] = [];
      for (const [at, image] of value.entries()) images.push(await replaceImage(image, `${name}[${at}]`, store));
      replaced[name] = images;
    } else if (value !== undefined) {
      replaced[name] = await replaceImage(value, name, store);
    }
  }
  return replaced;
}

async function replaceImage(
  value: unknown,
  param: string,
  store: (image: EmbeddedImage) => Promise<string>,
): Promise<unknown> {
  const image = embeddedImage(value, param);
  return image ? { file_id: await store(image) } : value;
}

function embeddedImage(value: unknown, param: string): EmbeddedImage | undefined {
  const { success, data } = ImageInputSchema.safeParse(value);
  if (!success) return undefined;
  try {
    const image = readImage(data, param, { bareBase64: param !== 'input_reference' });
    return 'base64' in image ? image : undefined;
  } catch {
    return undefined;
  }
}
