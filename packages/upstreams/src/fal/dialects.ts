import { fullSeconds } from '../media/limit-params.ts';

/** How a video model spells its input, and what is known of its ranges. */
export interface Dialect {
  /** Names of the first and the last frame. */
  first: string;
  last: string;
  /** Name of the list of references. */
  references: string;
  /** Spells a duration of whole seconds. */
  duration: (seconds: number) => string | number;
  /** Durations that it makes, none where it has no such field; absent: not known. */
  durations?: readonly number[];
  /** Shapes and resolutions that it makes, in the same way. */
  shapes?: readonly string[];
  resolutions?: readonly string[];
}

const COMMON: Dialect = { first: 'image_url', last: 'end_image_url', references: 'image_urls', duration: String };
const inSeconds = (seconds: number): string => `${seconds}s`;
const asNumber = (seconds: number): number => seconds;
const HD = ['480p', '720p', '1080p'];
const BASIC_SHAPES = ['16:9', '9:16', '1:1'];
const FIVE_SHAPES = [...BASIC_SHAPES, '4:3', '3:4'];

/** By what stands in the name, the later over the earlier; as @fal-ai/client 1.10.1 types the endpoints. */
const DIALECTS: readonly [RegExp, Partial<Dialect>][] = [
  [/kling-video\//, { last: 'tail_image_url', durations: [5, 10], shapes: BASIC_SHAPES, resolutions: [] }],
  [/kling-video\/.*elements/, { references: 'input_image_urls' }],
  [/kling-video\/(?:v2\.6|v3|o\d)/, { first: 'start_image_url', last: 'end_image_url' }],
  [/kling-video\/o1/, { durations: fullSeconds(3, 10) }],
  [/kling-video\/(?:v3|o3)/, { durations: fullSeconds(3, 15) }],
  [/kling-video\/o3\/.*image-to-video/, { first: 'image_url' }],
  [/veo\d/, { duration: inSeconds, durations: [4, 6, 8], shapes: ['16:9', '9:16'], resolutions: ['720p', '1080p'] }],
  [/veo2/, { durations: [5, 6, 7, 8], shapes: BASIC_SHAPES, resolutions: [] }],
  [/veo.*first-last-frame/, { first: 'first_frame_url', last: 'last_frame_url' }],
  [/luma-dream-machine/, { duration: inSeconds, durations: [5, 9], resolutions: ['540p', '720p', '1080p'] }],
  [/seedance\/v1\//, { durations: fullSeconds(2, 12), shapes: [...FIVE_SHAPES, '21:9'], resolutions: HD }],
  [/seedance\/v1\.5\//, { durations: fullSeconds(4, 12), shapes: [...FIVE_SHAPES, '21:9'], resolutions: HD }],
  [/minimax\/hailuo/, { durations: [6, 10], shapes: [], resolutions: [] }],
  [/minimax\/hailuo-02\/standard\/image/, { resolutions: ['512p', '768p'] }],
  [/minimax\/hailuo.*\/pro\//, { durations: [] }],
  [/pixverse\/v[345]/, { durations: [5, 8], shapes: FIVE_SHAPES, resolutions: ['360p', '540p', '720p', '1080p'] }],
  [/pixverse\/v5\.[56]/, { durations: [5, 8, 10] }],
  [/pixverse\/.*transition/, { first: 'first_image_url' }],
  [/sora/, { duration: asNumber, durations: [4, 8, 12, 16, 20], shapes: ['16:9', '9:16'], resolutions: ['720p'] }],
  [/sora.*\/pro/, { resolutions: ['720p', '1080p'] }],
  [/ltx-2/, { duration: asNumber, durations: [6, 8, 10], resolutions: ['1080p', '1440p', '2160p'] }],
  [/\bwan[-/]/, { durations: [] }], // in frames, not in seconds
  [/wan-25-preview/, { durations: [5, 10], resolutions: HD }],
  [/wan\/v2\.6/, { durations: [5, 10, 15], shapes: FIVE_SHAPES, resolutions: ['720p', '1080p'] }],
  [/start-end-to-video|flf2v/, { first: 'start_image_url' }],
  [/vidu|(?:seedance|grok).*reference/, { references: 'reference_image_urls' }],
];

/** How a video model spells its input. */
export function dialectOf(model: string): Dialect {
  const fitting = DIALECTS.filter(([pattern]) => pattern.test(model));
  return fitting.reduce<Dialect>((all, [, dialect]) => Object.assign(all, dialect), { ...COMMON });
}

/** Image models that take pictures as a list also when there is one. */
const LISTS =
  /nano-banana|gemini-\d|gpt-image|seedream|flux-2|grok|hunyuan-image|qwen-image-(?:2|max)|qwen-image.*(?:plus|25\d\d)|wan.*image-to-image|\/multi/;

/** How an image model spells its input. */
export interface ImageDialect {
  takesList: boolean;
  mask: string;
  /** Whether a size is a word such as `1024x1024`; else it is an object. */
  sizeIsWord: boolean;
}

/** How an image model spells its input. */
export function imageDialectOf(model: string): ImageDialect {
  const isGpt = model.includes('gpt-image');
  return { takesList: LISTS.test(model), mask: isGpt ? 'mask_image_url' : 'mask_url', sizeIsWord: isGpt };
}
