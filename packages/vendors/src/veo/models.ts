import { type Catalog, megabytes, type VideoModel } from '../schema/models.ts';

/** Gemini API docs: up to 20 MB per body. Base64 leaves three quarters of it for the images. */
export const VEO_IMAGE_FILES = { maxBytes: megabytes(14), maxTogether: megabytes(14) };

const ALL_SECONDS = [4, 6, 8];
// Gemini API docs: a request with references or a last frame must have 8 seconds.
const BOUND = { seconds: [8] };
const BASE = {
  // Gemini API docs: 1024 tokens. Veo itself enforces that limit.
  maxPrompt: 10_000,
  optionalPrompt: 'image',
  // @google/genai 1.40.0: "seed parameter is not supported in Gemini API". Nor are `fps` and `generateAudio`.
  optionalFields: ['negativePrompt'],
  // The watermark is invisible, so requests without a watermark are valid.
  fixed: { audio: true, watermark: false, promptExtend: true },
  aspectRatios: ['16:9', '9:16'],
} as const;
const KNOWN = { ...BASE, defaultSeconds: 8, when: { last_frame: BOUND, reference: BOUND } } as const;
// Gemini API docs: videos in 1080p and 4k must have 8 seconds.
const THIRD = {
  ...KNOWN,
  images: { first_frame: 1, last_frame: 1 },
  seconds: ALL_SECONDS,
  resolutions: { '720p': ALL_SECONDS, '1080p': [8] },
} as const;

/** Source: Gemini API docs, "Generate videos with Veo". */
export const VEO_VIDEOS: Catalog<VideoModel> = [
  ['veo-3.1-lite', THIRD],
  [
    'veo-3.1',
    {
      ...THIRD,
      images: { ...THIRD.images, reference: 3 },
      resolutions: { ...THIRD.resolutions, '4k': [8] },
    },
  ],
  ['veo-3.0', { ...THIRD, images: { first_frame: 1 } }],
  [
    'veo-2.0',
    {
      ...KNOWN,
      images: { first_frame: 1, last_frame: 1 },
      fixed: { ...BASE.fixed, audio: false },
      seconds: [5, 6, 8],
      resolutions: [],
    },
  ],
];

export const ANY_VEO: VideoModel = {
  ...BASE,
  images: { first_frame: 1, last_frame: 1, reference: 3 },
  resolutions: ['720p', '1080p', '4k'],
};
