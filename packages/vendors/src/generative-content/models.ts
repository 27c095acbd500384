import { type Catalog, type ImageModel, megabytes } from '../schema/models.ts';

/** Gemini accepts 100 MB of inline data, including base64, so three quarters of that remain for the images. */
export const GEMINI_IMAGE_FILES = { maxBytes: megabytes(75), maxTogether: megabytes(75) };

/** Source: Gemini API docs, "Image generation". Each response contains one image. */
export const GEMINI_IMAGE: ImageModel = {
  images: { reference: 14 },
  max: 1,
  optionalFields: ['seed'],
  aspectRatios: ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'],
};

export const GEMINI_IMAGES: Catalog<ImageModel> = [['gemini-', GEMINI_IMAGE]];

export function hasOneSize(name: string): boolean {
  return /^(?:models\/)?gemini-2\.5-/.test(name);
}
