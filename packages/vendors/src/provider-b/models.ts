import {
  ANY_FRAME,
  type Catalog,
  findModel,
  type FrameLimits,
  type ImageModel,
  megabytes,
  type VideoModel,
} from '../models.ts';

const mediaTypes = ['image/jpeg', 'image/png'];
/** Jimeng docs, "Video generation 3.0": JPEG or PNG, up to 4.7 MB. */
export const JIMENG_VIDEO_IMAGES = { mediaTypes, maxBytes: megabytes(4.7) };
/** Jimeng docs, image 4.0: JPEG or PNG, up to 15 MB. */
export const JIMENG_IMAGES = { mediaTypes, maxBytes: megabytes(15) };

/** A Jimeng model. Its name is sent as `req_key`. */
export interface JimengVideo extends VideoModel {
  /** Whether the request sets the frame count. Older models have a fixed one. */
  sendsFrames: boolean;
}

const VIDEO = {
  maxPrompt: 800,
  promptless: 'image',
  imageFiles: JIMENG_VIDEO_IMAGES,
  mixes: true,
  lastFrameAlone: true,
  takes: ['seed'],
  // Jimeng docs, `aspect_ratio`: only for text-to-video.
  shapes: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
  resolutions: [],
  usualSeconds: 5,
  sendsFrames: true,
} as const;
const FIRST = { first_frame: 1 };
const OLD = { ...VIDEO, seconds: [5], sendsFrames: false };
const NEW = { ...VIDEO, seconds: [5, 10] };

/** Jimeng docs, "Video generation 3.0". */
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
  usualSeconds: undefined,
  images: { ...FIRST, last_frame: 1, reference: 10 },
};

export function jimengVideo(name: string): JimengVideo {
  return findModel(JIMENG_VIDEOS, name) ?? ANY_VIDEO;
}

export interface JimengImage extends ImageModel {
  frame: FrameLimits;
  /** Number of pixels if the request sets only a shape. */
  pixels: number;
  /** Whether the model infers the number of images from the prompt unless one image is requested. */
  countsByPrompt: boolean;
}

const K = 1024;
/** Jimeng docs, image 4.0: width to height between 1:3 and 3:1; all recommended sides are multiples of 16. */
const SHAPE = { widest: 3, step: 16 };
const IMAGE = {
  maxPrompt: 800,
  imageFiles: JIMENG_IMAGES,
  countsByPrompt: false,
  takes: ['watermark', 'seed', 'promptExtend'],
} as const;
const V3 = { ...IMAGE, max: 1, frame: { ...SHAPE, area: { min: 512 * 512, max: 4 * K * K } }, pixels: 1328 * 1328 };

/** Jimeng docs, "Image generation". */
export const JIMENG_IMAGE_MODELS: Catalog<JimengImage> = [
  [
    /^jimeng_t2i_v[4-9]/,
    {
      ...IMAGE,
      images: { reference: 10 },
      frame: { ...SHAPE, area: { min: K * K, max: 16 * K * K } },
      pixels: 4 * K * K,
      countsByPrompt: true,
      takes: ['watermark'],
    },
  ],
  [/^jimeng_t2i_v[23]/, { ...V3, images: {} }],
  [/^jimeng_i2i_v3/, { ...V3, images: { reference: 1 } }],
];
const ANY_IMAGE: JimengImage = { ...IMAGE, max: 1, images: { reference: 10 }, frame: ANY_FRAME, pixels: K * K };

export function jimengImage(name: string): JimengImage {
  return findModel(JIMENG_IMAGE_MODELS, name) ?? ANY_IMAGE;
}
