import { type ImageRole, type OpenedImage, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { imageDataUrl } from './image-bytes.ts';

const ROLES: Partial<Record<ImageRole, string>> = {
  first_frame: 'first_frame',
  last_frame: 'last_frame',
  reference: 'reference_image',
};

export async function contentItems(prompt: string | undefined, images: readonly OpenedImage[]): Promise<object[]> {
  const imageInputs = images.map(async (image) => ({
    type: 'image_url',
    image_url: { url: await imageDataUrl(image) },
    role: ROLES[image.role],
  }));
  return [...(prompt === undefined ? [] : [{ type: 'text', text: prompt }]), ...(await Promise.all(imageInputs))];
}

/** Rejects frames combined with references, which these vendors do not support. @throws {UnsupportedParamsError} */
export function refuseMixedImages({ images }: VideoRequest): void {
  if (images.some(({ role }) => role === 'reference') && images.some(({ role }) => role !== 'reference')) {
    throw new UnsupportedParamsError('reference', 'cannot be combined with a first or last frame for this model');
  }
}
