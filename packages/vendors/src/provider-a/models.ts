import { type Catalog, findModel, fullSeconds, type ImageModel, megabytes, type VideoModel } from '../schema/models.ts';

/** Kling docs, `image`: ".jpg/.jpeg/.png", up to 10 MB. */
export const KLING_IMAGES = { mediaTypes: ['image/jpeg', 'image/png'], maxBytes: megabytes(10) };

export interface KlingVideo extends VideoModel {
  /** Whether the model supports both `std` (720p) and `pro` (1080p). Absent if this is unknown. */
  modes?: boolean;
  /** Fields that are supported only in mode `pro`. */
  proOnly?: readonly ('last_frame' | 'audio')[];
  /** Whether the model is called under the `omni-video` path, with all images in one list. */
  omni?: true;
}

const BASE = {
  // Kling docs: the limit applies to `prompt` and `negative_prompt` separately.
  maxPrompt: 2500,
  maxNegativePrompt: 2500,
  images: { first_frame: 1, last_frame: 1, reference: 4 },
  imageFiles: KLING_IMAGES,
  allowsLastFrameAlone: true,
  allowsMixedImages: true, // The path determines whether images can be mixed.
  optionalFields: ['negativePrompt', 'audio', 'watermark'],
  aspectRatios: ['16:9', '9:16', '1:1'],
} as const;
const SILENT = {
  ...BASE,
  optionalFields: ['negativePrompt', 'watermark'],
  seconds: [5, 10],
  defaultSeconds: 5,
} as const;
const LONG = { seconds: fullSeconds(3, 15), defaultSeconds: 5 };
/** Kling docs, omni-video: the maximum number of images across all roles. */
export const MAX_OMNI_IMAGES = 7;
// There is no default duration, because a model that edits a video keeps the video's length.
const OMNI = { ...BASE, images: { first_frame: 1, last_frame: 1, reference: MAX_OMNI_IMAGES }, omni: true } as const;

/** Source: Kling docs, "Capability map". The keys are Kling's own names. */
export const KLING_VIDEOS: Catalog<KlingVideo> = [
  [/^kling-video-o\d/, { ...OMNI, optionalFields: ['watermark'], seconds: fullSeconds(3, 10), modes: true }],
  [/-omni$/, { ...OMNI, optionalFields: ['audio', 'watermark'], seconds: fullSeconds(3, 15) }],
  [/^kling-v\d.*-master$/, { ...SILENT, modes: false }],
  [/^kling-v1$/, { ...SILENT, modes: true }],
  [/^kling-v(1-5|1-6|2-1|2-5.*)$/, { ...SILENT, modes: true, proOnly: ['last_frame'] }],
  [/^kling-v2-6/, { ...SILENT, optionalFields: BASE.optionalFields, modes: true, proOnly: ['last_frame', 'audio'] }],
  [/^kling-v3/, { ...BASE, ...LONG, modes: true }],
];

/** Returns a model's limits. An unknown model's duration is not limited. @param name the result of {@link klingName} */
export function klingVideo(name: string): KlingVideo {
  return findModel(KLING_VIDEOS, name) ?? { ...BASE, seconds: 'any' };
}

/** Converts a model name to Kling's format: `kling-v2.6` becomes `kling-v2-6`, and `kling-v3.0` becomes `kling-v3`. */
export function klingName(model: string): string {
  return model.replace(/\.0(?=$|-)/, '').replaceAll('.', '-');
}

export type KlingImagePath = '/v1/images/generations' | '/v1/images/multi-image2image' | '/v1/images/omni-image';

const IMAGE = {
  maxPrompt: 2500,
  imageFiles: KLING_IMAGES,
  max: 9,
  optionalFields: ['watermark'],
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'],
} as const;

/**
 * Kling docs, "Image generation": `generations` accepts one image, `multi-image2image` two to four, and the `o1` models
 * up to ten. Only `generations` accepts a negative prompt, and only without an image.
 */
export function klingImage(name: string, images: number): ImageModel & { path: KlingImagePath } {
  if (/^kling-image-o\d|-omni$/.test(name)) {
    return { ...IMAGE, path: '/v1/images/omni-image', images: { reference: 10 } };
  }
  const max = name.startsWith('kling-v1') ? 1 : 4;
  if (images > 1) return { ...IMAGE, path: '/v1/images/multi-image2image', images: { reference: max } };
  const optionalFields = images === 0 ? (['negativePrompt', 'watermark'] as const) : IMAGE.optionalFields;
  return {
    ...IMAGE,
    path: '/v1/images/generations',
    images: { reference: 1 },
    optionalFields,
    maxNegativePrompt: 2500,
  };
}

export const KLING_IMAGE_MODELS: Catalog<ImageModel> = [
  [/^kling-image-o\d|-omni$/, klingImage('kling-image-o1', 2)],
  ['kling-v1', klingImage('kling-v1', 2)],
  ['kling-', klingImage('kling-v2', 2)],
];
