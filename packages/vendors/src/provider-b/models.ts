import {
  ANY_FRAME,
  type Catalog,
  findModel,
  type FrameLimits,
  type ImageModel,
  megabytes,
  type VideoModel,
} from '../schema/models.ts';

const mediaTypes = ['image/jpeg', 'image/png'];
/** Jimeng docs, "Video generation 3.0": JPEG or PNG, up to 4.7 MB. */
export const JIMENG_VIDEO_IMAGES = { mediaTypes, maxBytes: megabytes(4.7) };
/** Jimeng docs, image 4.0: JPEG or PNG, up to 15 MB. */
export const JIMENG_IMAGES = { mediaTypes, maxBytes: megabytes(15) };

/** A Jimeng model. Its name is sent as `req_key`. */
export interface JimengVideo extends VideoModel {
  /** Whether the request sets the number of frames. Older models have a fixed number. */
  sendsFrames: boolean;
}

const VIDEO = {
  maxPrompt: 800,
  optionalPrompt: 'image',
  imageFiles: JIMENG_VIDEO_IMAGES,
  allowsMixedImages: true,
  allowsLastFrameAlone: true,
  optionalFields: ['seed'],
  // Jimeng docs, `aspect_ratio`: supported only for text-to-video.
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
  resolutions: [],
  defaultSeconds: 5,
  sendsFrames: true,
} as const;
const FIRST = { first_frame: 1 };
const OLD = { ...VIDEO, seconds: [5], sendsFrames: false };
const NEW = { ...VIDEO, seconds: [5, 10] };

/** Source: Jimeng docs, "Video generation 3.0". */
export const JIMENG_VIDEOS: Catalog<JimengVideo> = [
  ['jimeng_vgfm_t2v', { ...OLD, images: {} }],
  ['jimeng_vgfm_i2v', { ...OLD, images: FIRST, needs: ['first_frame'] }],
  ['jimeng_t2v', { ...NEW, images: {} }],
  ['jimeng_i2v_first_tail', { ...NEW, images: { ...FIRST, last_frame: 1 }, needs: ['first_frame', 'last_frame'] }],
  ['jimeng_i2v', { ...NEW, images: FIRST, needs: ['first_frame'] }],
  ['jimeng_ti2v', { ...NEW, images: FIRST }],
];
const ANY_VIDEO: JimengVideo = {
  ...VIDEO,
  seconds: 'any',
  defaultSeconds: undefined,
  images: { ...FIRST, last_frame: 1, reference: 10 },
};

export function jimengVideo(name: string): JimengVideo {
  return findModel(JIMENG_VIDEOS, name) ?? ANY_VIDEO;
}

export interface JimengImage extends ImageModel {
  frame: FrameLimits;
  /** Number of pixels if the request sets only an aspect ratio. */
  pixels: number;
  /** Whether the model infers the number of images from the prompt, unless exactly one image is requested. */
  countsByPrompt: boolean;
}

const K = 1024;
/** Jimeng docs, image 4.0: a width-to-height ratio from 1:3 to 3:1. Recommended sides are multiples of 16. */
const STEPS = { maxRatio: 3, step: 16 };
const IMAGE = {
  maxPrompt: 800,
  imageFiles: JIMENG_IMAGES,
  countsByPrompt: false,
  optionalFields: ['watermark', 'seed', 'promptExtend'],
} as const;
const V3 = { ...IMAGE, max: 1, frame: { ...STEPS, area: { min: 512 * 512, max: 4 * K * K } }, pixels: 1328 * 1328 };

/** Source: Jimeng docs, "Image generation". */
export const JIMENG_IMAGE_MODELS: Catalog<JimengImage> = [
  [
    /^jimeng_t2i_v[4-9]/,
    {
      ...IMAGE,
      images: { reference: 10 },
      frame: { ...STEPS, area: { min: K * K, max: 16 * K * K } },
      pixels: 4 * K * K,
      countsByPrompt: true,
      optionalFields: ['watermark'],
    },
  ],
  [/^jimeng_t2i_v[23]/, { ...V3, images: {} }],
  [/^jimeng_i2i_v3/, { ...V3, images: { reference: 1 } }],
];
const ANY_IMAGE: JimengImage = { ...IMAGE, max: 1, images: { reference: 10 }, frame: ANY_FRAME, pixels: K * K };

export function jimengImage(name: string): JimengImage {
  return findModel(JIMENG_IMAGE_MODELS, name) ?? ANY_IMAGE;
}
