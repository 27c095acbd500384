import { type ImageRole, type OpenedImage, UnsupportedWishError, type VideoRequest } from '@sluice/canonical';
import { limitPictureBytes, pictureDataUrl } from './picture-bytes.ts';

const ROLES: Partial<Record<ImageRole, string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
};

/** `content` of vendors that take the prompt and the pictures as a list of items with roles. */
export async function contentItems(prompt: string | undefined, images: readonly OpenedImage[]): Promise<object[]> {
  // Volcengine and MiniMax docs: a picture up to 30 MB, a body up to 64 MB, of which base64 leaves three quarters.
  limitPictureBytes(images, { each: 30, all: 45 });
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
