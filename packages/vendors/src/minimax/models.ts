import { type Catalog, CONTENT_BYTES, findModel, fullSeconds, megabytes, type VideoModel } from '../schema/models.ts';

const mediaTypes = ['image/jpeg', 'image/png', 'image/webp'];
/** MiniMax docs, "Image to Video", `first_frame_image`: "JPG, JPEG, PNG, WebP", less than 20 MB. */
export const MINIMAX_IMAGES_V1 = { mediaTypes, maxBytes: megabytes(20) };
/** Source: MiniMax docs, "Video Generation V2". */
export const MINIMAX_IMAGES_V2 = { mediaTypes, ...CONTENT_BYTES };

const V1 = {
  maxPrompt: 2000,
  optionalPrompt: 'image',
  imageFiles: MINIMAX_IMAGES_V1,
  optionalFields: ['watermark', 'promptExtend'],
  fixed: { audio: false },
  allowsMixedImages: true,
  allowsLastFrameAlone: true,
} as const;
const KNOWN = { ...V1, seconds: [6, 10], defaultSeconds: 6 } as const;
const HAILUO = { ...KNOWN, resolutions: { '768P': [6, 10], '1080P': [6] } } as const;
const FIRST = { first_frame: 1 };
const OLD = { ...KNOWN, seconds: [6], resolutions: ['720P'] } as const;

/** Source: MiniMax docs, "Text to Video", "Image to Video", "Start / End to Video". */
export const MINIMAX_VIDEOS_V1: Catalog<VideoModel> = [
  ['MiniMax-Hailuo-2.3-Fast', { ...HAILUO, images: FIRST, needs: ['first_frame'] }],
  ['MiniMax-Hailuo-2.3', { ...HAILUO, images: FIRST }],
  // With 512P, a first frame is required, and a last frame is not supported.
  [
    'MiniMax-Hailuo-02',
    {
      ...HAILUO,
      images: { first_frame: 1, last_frame: 1 },
      when: { first_frame: { resolutions: { ...HAILUO.resolutions, '512P': [6, 10] } }, last_frame: HAILUO },
    },
  ],
  ['T2V-01', { ...OLD, images: {} }],
  ['I2V-01', { ...OLD, images: FIRST, needs: ['first_frame'] }],
  ['S2V-01', { ...OLD, images: { reference: 1 }, needs: ['reference'] }],
];
const ANY_V1: VideoModel = {
  ...V1,
  images: { first_frame: 1, last_frame: 1, reference: 1 },
  resolutions: ['512P', '720P', '768P', '1080P'],
};

const V2 = {
  maxPrompt: 7000,
  images: { first_frame: 1, last_frame: 1, reference: 9 },
  imageFiles: MINIMAX_IMAGES_V2,
  allowsLastFrameAlone: true,
  optionalFields: ['watermark'],
  fixed: { audio: true },
  defaultSeconds: 5,
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'],
  imageSetsAspectRatio: true,
} as const;

/** Source: MiniMax docs, "Video Generation V2". */
export const MINIMAX_VIDEOS_V2: Catalog<VideoModel> = [
  ['MiniMax-H3-Max', { ...V2, seconds: fullSeconds(5, 15), resolutions: ['480P', '768P'] }],
  ['MiniMax-H3', { ...V2, seconds: fullSeconds(4, 15), resolutions: ['768P', '2K'] }],
];
const ANY_V2: VideoModel = { ...V2, resolutions: ['480P', '768P', '1080P', '2K', '4K'] };

/** Whether a model is served by v2 (MiniMax-H3 and later models) or by v1 (MiniMax-Hailuo-… and older models). */
export function isMinimaxV2(name: string): boolean {
  return /^MiniMax-H\d/.test(name);
}

export function minimaxVideo(name: string): VideoModel {
  return isMinimaxV2(name)
    ? (findModel(MINIMAX_VIDEOS_V2, name) ?? ANY_V2)
    : (findModel(MINIMAX_VIDEOS_V1, name) ?? ANY_V1);
}
