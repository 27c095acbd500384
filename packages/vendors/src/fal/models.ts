import { type Catalog, fullSeconds, megabytes, UP_TO_1080, type VideoModel } from '../schema/models.ts';

/** fal documents no limit, but its responses repeat the images in base64. */
export const FAL_IMAGE_FILES = { maxBytes: megabytes(30), maxTogether: megabytes(45) };

export interface FalVideo extends VideoModel {
  first: string;
  last: string;
  references: string;
  /** Formats a duration in full seconds. */
  duration: (seconds: number) => string | number;
}

const COMMON: FalVideo = {
  first: 'image_url',
  last: 'end_image_url',
  references: 'image_urls',
  duration: String,
  optionalPrompt: 'image',
  images: { first_frame: 1, last_frame: 1, reference: Infinity },
  allowsMixedImages: true,
  allowsLastFrameAlone: true,
  optionalFields: ['negativePrompt', 'seed', 'audio'],
};
const inSeconds = (seconds: number): string => `${seconds}s`;
const asNumber = (seconds: number): number => seconds;
const THREE_ASPECT_RATIOS = ['16:9', '9:16', '1:1'];
const FIVE_ASPECT_RATIOS = [...THREE_ASPECT_RATIOS, '4:3', '3:4'];

/** Patterns match anywhere in the model's name. Later entries override earlier ones. Source: @fal-ai/client 1.10.1. */
export const FAL_VIDEOS: readonly (readonly [RegExp, Partial<FalVideo>])[] = [
  [/kling-video\//, { last: 'tail_image_url', seconds: [5, 10], aspectRatios: THREE_ASPECT_RATIOS, resolutions: [] }],
  [/kling-video\/.*elements/, { references: 'input_image_urls' }],
  [/kling-video\/(?:v2\.6|v3|o\d)/, { first: 'start_image_url', last: 'end_image_url' }],
  [/kling-video\/o1/, { seconds: fullSeconds(3, 10) }],
  [/kling-video\/(?:v3|o3)/, { seconds: fullSeconds(3, 15) }],
  [/kling-video\/o3\/.*image-to-video/, { first: 'image_url' }],
  [
    /veo\d/,
    { duration: inSeconds, seconds: [4, 6, 8], aspectRatios: ['16:9', '9:16'], resolutions: ['720p', '1080p'] },
  ],
  [/veo2/, { seconds: [5, 6, 7, 8], aspectRatios: THREE_ASPECT_RATIOS, resolutions: [] }],
  [/veo.*first-last-frame/, { first: 'first_frame_url', last: 'last_frame_url' }],
  [/luma-dream-machine/, { duration: inSeconds, seconds: [5, 9], resolutions: ['540p', '720p', '1080p'] }],
  [
    /seedance\/v1\//,
    { seconds: fullSeconds(2, 12), aspectRatios: [...FIVE_ASPECT_RATIOS, '21:9'], resolutions: UP_TO_1080 },
  ],
  [
    /seedance\/v1\.5\//,
    { seconds: fullSeconds(4, 12), aspectRatios: [...FIVE_ASPECT_RATIOS, '21:9'], resolutions: UP_TO_1080 },
  ],
  [/minimax\/hailuo/, { seconds: [6, 10], aspectRatios: [], resolutions: [] }],
  [/minimax\/hailuo-02\/standard\/image/, { resolutions: ['512p', '768p'] }],
  [/minimax\/hailuo.*\/pro\//, { seconds: [] }],
  [
    /pixverse\/v[345]/,
    { seconds: [5, 8], aspectRatios: FIVE_ASPECT_RATIOS, resolutions: ['360p', '540p', '720p', '1080p'] },
  ],
  [/pixverse\/v5\.[56]/, { seconds: [5, 8, 10] }],
  [/pixverse\/.*transition/, { first: 'first_image_url' }],
  [/sora/, { duration: asNumber, seconds: [4, 8, 12, 16, 20], aspectRatios: ['16:9', '9:16'], resolutions: ['720p'] }],
  [/sora.*\/pro/, { resolutions: ['720p', '1080p'] }],
  [/ltx-2/, { duration: asNumber, seconds: [6, 8, 10], resolutions: ['1080p', '1440p', '2160p'] }],
  [/\bwan[-/]/, { seconds: [] }], // These models count frames, not seconds.
  [/wan-25-preview/, { seconds: [5, 10], resolutions: UP_TO_1080 }],
  [/wan\/v2\.6/, { seconds: [5, 10, 15], aspectRatios: FIVE_ASPECT_RATIOS, resolutions: ['720p', '1080p'] }],
  [/start-end-to-video|flf2v/, { first: 'start_image_url' }],
  [/vidu|(?:seedance|grok).*reference/, { references: 'reference_image_urls' }],
];

export function falVideo(name: string): FalVideo {
  const matching = FAL_VIDEOS.filter(([pattern]) => pattern.test(name)).map(([, model]) => model);
  return Object.assign({ ...COMMON }, ...matching);
}

/** Image models that require a list of images, even for a single image. */
const LISTS =
  /nano-banana|gemini-\d|gpt-image|seedream|flux-2|grok|hunyuan-image|qwen-image-(?:2|max)|qwen-image.*(?:plus|25\d\d)|wan.*image-to-image|\/multi/;

export function falImage(name: string) {
  const isGpt = name.includes('gpt-image');
  return {
    optionalPrompt: 'image',
    images: { reference: Infinity, mask: 1 },
    optionalFields: ['negativePrompt', 'seed', 'quality', 'background', 'outputFormat'],
    requiresList: LISTS.test(name),
    mask: isGpt ? 'mask_image_url' : 'mask_url',
    /** Whether a size is sent as text (`1024x1024`) and not as an object. */
    sizeIsText: isGpt,
  } as const;
}

/** fal's names for aspect ratios (@ai-sdk/fal, `convertAspectRatioToSize`). */
export const FAL_SIZES: Readonly<Record<string, string>> = {
  '1:1': 'square_hd',
  '16:9': 'landscape_16_9',
  '9:16': 'portrait_16_9',
  '4:3': 'landscape_4_3',
  '3:4': 'portrait_4_3',
};

/** All image models have the same limits. */
export const FAL_IMAGES: Catalog<Pick<VideoModel, 'images' | 'aspectRatios'>> = [
  [/.*/, { images: falImage('').images, aspectRatios: Object.keys(FAL_SIZES) }],
];
