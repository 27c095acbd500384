import { type ImageRole, type OpenedImage, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { limitImageFiles, megabytes, type ImageLimits } from './limit-params.ts';
import { imageDataUrl } from './image-bytes.ts';

const ROLES: Partial<Record<ImageRole, string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
};

/** Volcengine and MiniMax docs: a picture up to 30 MB, a body up to 64 MB, of which base64 leaves three quarters. */
export const CONTENT_BYTES = { maxBytes: megabytes(30), maxTogether: megabytes(45) } as const;

/** `content` of vendors that take the prompt and the pictures as a list of items with roles. */
export async function contentItems(
  prompt: string | undefined,
  images: readonly OpenedImage[],
  limits: ImageLimits = CONTENT_BYTES,
): Promise<object[]> {
  limitImageFiles(images, limits);
  const imageInputs = images.map(async (image) => ({
    type: 'image_url',
    image_url: { url: await imageDataUrl(image) },
    role: ROLES[image.role],
  }));
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...(await Promise.all(imageInputs))];
}

/** Frames and references are scenes that exclude each other with these vendors. @throws {UnsupportedParamsError} */
export function refuseMixedImages({ images }: VideoRequest): void {
  if (images.some(({ role }) => role === 'reference') && images.some(({ role }) => role !== 'reference')) {
    throw new UnsupportedParamsError('reference', 'is not taken beside a first or last frame by this model');
  }
}
