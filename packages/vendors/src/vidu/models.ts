import { type Catalog, findModel, fullSeconds, megabytes, type VideoModel } from '../schema/models.ts';

/** Vidu docs, `images`: PNG, JPEG, WebP; up to 20 MB per body. Base64 leaves 15 MB of it for the images. */
export const VIDU_IMAGES = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp'],
  maxBytes: megabytes(15),
  maxTogether: megabytes(15),
};

const NARROW = ['16:9', '9:16', '1:1'];
const BROAD = [...NARROW, '4:3', '3:4'];
const NEW = { aspectRatios: BROAD, resolutions: ['540p', '720p', '1080p'], defaultSeconds: 5 };
const BASE = {
  // Vidu docs: 5000 characters. Vidu itself enforces the limit of older models, which is 2000.
  maxPrompt: 5000,
  optionalPrompt: 'frame',
  images: { first_frame: 1, last_frame: 1, reference: 7 },
  imageFiles: VIDU_IMAGES,
  imageSetsAspectRatio: true,
  // `is_rec` is not equivalent to `promptExtend`: Vidu replaces the prompt with its own and charges a fee.
  optionalFields: ['seed', 'watermark', 'audio'],
} as const;
const SILENT = {
  ...BASE,
  optionalFields: ['seed', 'watermark'],
  fixed: { audio: false },
  aspectRatios: NARROW,
} as const;
const OLD: VideoModel = {
  ...SILENT,
  images: { first_frame: 1, last_frame: 1, reference: 3 },
  seconds: [4, 8],
  defaultSeconds: 4,
  resolutions: { '360p': [4], '720p': [4, 8], '1080p': [4] },
};

/** Source: Vidu docs, "Text to Video", "Image to Video", "Reference to Video". */
export const VIDU_VIDEOS: Catalog<VideoModel> = [
  ['viduq3', { ...BASE, ...NEW, seconds: fullSeconds(1, 16) }],
  ['viduq2', { ...BASE, ...NEW, seconds: fullSeconds(1, 10) }],
  ['viduq1', { ...SILENT, seconds: [5], defaultSeconds: 5, resolutions: ['1080p'] }],
  ['vidu2.0', { ...OLD, needsImage: true }],
  ['vidu1.5', OLD],
];

const UNKNOWN: VideoModel = {
  ...BASE,
  aspectRatios: BROAD,
  resolutions: ['360p', '540p', '720p', '1080p', '2k', '4k'],
};

export function viduVideo(name: string): VideoModel {
  return findModel(VIDU_VIDEOS, name) ?? UNKNOWN;
}
