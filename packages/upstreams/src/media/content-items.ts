import { type ImageRole, type OpenedImage, UnsupportedWishError, type VideoRequest } from '@sluice/canonical';
import { limitPictureFiles, megabytes, type PictureLimits } from './limit-wish.ts';
import { pictureDataUrl } from './picture-bytes.ts';

const ROLES: Partial<Record<ImageRole, string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
};

/** Volcengine and MiniMax docs: a picture up to 30 MB, a body up to 64 MB, of which base64 leaves three quarters. */
export const CONTENT_BYTES = { mostBytes: megabytes(30), mostTogether: megabytes(45) } as const;

/** `content` of vendors that take the prompt and the pictures as a list of items with roles. */
export async function contentItems(
  prompt: string | undefined,
  images: readonly OpenedImage[],
  limits: PictureLimits = CONTENT_BYTES,
): Promise<object[]> {
  limitPictureFiles(images, limits);
  const pictures = images.map(async (image) => ({
    type: 'image_url',
    image_url: { url: await pictureDataUrl(image) },
    role: ROLES[image.role],
  }));
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...(await Promise.all(pictures))];
}

/** Frames and references are scenes that exclude each other with these vendors. @throws {UnsupportedWishError} */
export function refuseMixedPictures({ images }: VideoRequest): void {
  if (images.some(({ role }) => role === 'reference') && images.some(({ role }) => role !== 'reference')) {
    throw new UnsupportedWishError('reference', 'is not taken beside a first or last frame by this model');
  }
}
