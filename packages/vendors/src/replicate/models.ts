import type { ImageRole } from '@sluice/canonical';
import { fullSeconds, UP_TO_1080 } from '../models.ts';
import { first, frames, type ImageInputs, type InputNames, type InputValues, references } from './inputs.ts';

/** A Replicate video model, with its own input names. `any` is sent as requested. */
export interface ReplicateVideo {
  /** Whether the input names are a guess, using the most common ones. */
  isGuess?: true;
  seconds?: 'any' | { usual: number; choices: readonly number[]; field?: string };
  shapes?: 'any' | InputValues;
  /** Whether a first or last frame sets the shape. */
  shapedByImage?: true;
  resolutions?: 'any' | InputValues;
  resolutionField?: string;
  /** Sent if the request sets none and the model's default is not allowed. */
  usualResolution?: string;
  /** Supported `size` values (`1280*720`), instead of a shape and a resolution. */
  sizes?: readonly string[];
  images: ImageInputs;
  needs?: readonly ImageRole[];
  lastFrameAlone?: true;
  /** Whether references may be combined with frames. */
  mixes?: true;
  /** Whether the model always generates sound. */
  alwaysSounds?: true;
  names: InputNames;
  maxPrompt?: number;
  /** Overrides for requests with references, with a last frame, and for longer videos. */
  referring?: Partial<ReplicateVideo>;
  ending?: Partial<ReplicateVideo>;
  long?: Partial<ReplicateVideo> & { over: number };
}

const NEEDS_FIRST = { needs: ['first_frame'] } as const;

/** Guesses the most common names for unknown models. */
function guess(images: ImageInputs): ReplicateVideo {
  return {
    isGuess: true,
    seconds: 'any',
    shapes: 'any',
    resolutions: 'any',
    images: { ...images, ...references() },
    lastFrameAlone: true,
    mixes: true,
    names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio', fps: 'fps' },
  };
}
const ANY = guess(frames('image', 'last_frame_image'));

const THREE_SHAPES = ['16:9', '9:16', '1:1'];
const VEO: Omit<ReplicateVideo, 'images'> = {
  seconds: { usual: 8, choices: [4, 6, 8] },
  shapes: ['16:9', '9:16'],
  resolutions: ['720p', '1080p'],
  names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio' },
};
const WAN: Omit<ReplicateVideo, 'images'> = {
  seconds: { usual: 5, choices: [5, 10] },
  alwaysSounds: true,
  names: { seed: 'seed', negativePrompt: 'negative_prompt', promptExtend: 'enable_prompt_expansion' },
};
const WAN_2_2: Omit<ReplicateVideo, 'images'> = { resolutions: ['480p', '720p'], names: { seed: 'seed' } };
const KLING: Omit<ReplicateVideo, 'images'> = {
  seconds: { usual: 5, choices: [5, 10] },
  shapes: THREE_SHAPES,
  shapedByImage: true,
  names: { negativePrompt: 'negative_prompt' },
};
const KLING_MODES = { resolutions: { '720p': 'standard', '1080p': 'pro' }, resolutionField: 'mode' };
const HAILUO: Omit<ReplicateVideo, 'images'> = {
  seconds: { usual: 6, choices: [6, 10] },
  resolutions: ['768p', '1080p'],
  names: { promptExtend: 'prompt_optimizer' },
  long: { over: 6, resolutions: ['768p'], usualResolution: '768p' },
};
const SEEDANCE: Omit<ReplicateVideo, 'images'> = {
  seconds: { usual: 5, choices: fullSeconds(2, 12) },
  shapes: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21'],
  shapedByImage: true,
  resolutions: UP_TO_1080,
  names: { seed: 'seed' },
};
const SEEDANCE_FRAMES = frames('image', 'last_frame_image');
const SORA: ReplicateVideo = {
  seconds: { usual: 4, choices: [4, 8, 12], field: 'seconds' },
  shapes: { '16:9': 'landscape', '9:16': 'portrait' },
  images: first('input_reference'),
  alwaysSounds: true,
  names: {},
};
const RAY: ReplicateVideo = {
  seconds: { usual: 5, choices: [5, 9] },
  shapes: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21'],
  shapedByImage: true,
  images: frames('start_image', 'end_image'),
  lastFrameAlone: true,
  names: {},
};

/** Models by the prefix of `owner/name`, longer prefixes first. Source: the API pages at replicate.com in 2026. */
export const REPLICATE_VIDEOS: Readonly<Record<string, ReplicateVideo>> = {
  'google/veo-3.1-fast': { ...VEO, images: frames('image', 'last_frame') },
  'google/veo-3.1': {
    ...VEO,
    images: { ...frames('image', 'last_frame'), ...references(3) },
    referring: { seconds: { usual: 8, choices: [8] }, shapes: ['16:9'] },
  },
  'google/veo-3': { ...VEO, images: first('image') },

  'wan-video/wan-2.5-t2v': {
    ...WAN,
    sizes: ['832x480', '480x832', '1280x720', '720x1280', '1920x1080', '1080x1920'],
    images: {},
  },
  'wan-video/wan-2.5-i2v': { ...WAN, resolutions: UP_TO_1080, images: first('image'), ...NEEDS_FIRST },
  // These models count frames, not seconds.
  'wan-video/wan-2.2-t2v': { ...WAN_2_2, shapes: ['16:9', '9:16'], images: {} },
  'wan-video/wan-2.2-i2v': { ...WAN_2_2, images: frames('image', 'last_image'), ...NEEDS_FIRST },
  'wan-video/': guess(frames('image', 'last_image')),

  'kwaivgi/kling-v3-video': {
    ...KLING,
    ...KLING_MODES,
    seconds: { usual: 5, choices: fullSeconds(3, 15) },
    images: frames('start_image', 'end_image'),
    names: { ...KLING.names, audio: 'generate_audio' },
    maxPrompt: 2500,
  },
  'kwaivgi/kling-o1': {
    ...KLING,
    resolutions: { '720p': 'std', '1080p': 'pro' },
    resolutionField: 'mode',
    images: { ...frames('start_image', 'end_image'), ...references(7) },
    mixes: true,
    names: {},
  },
  'kwaivgi/kling-v2.5-turbo-pro': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v2.1-master': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v2.1': {
    ...KLING,
    ...KLING_MODES,
    images: frames('start_image', 'end_image'),
    ...NEEDS_FIRST,
    ending: { resolutions: { '1080p': 'pro' }, usualResolution: '1080p' },
  },
  'kwaivgi/kling-v2.0': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v1.6-pro': {
    ...KLING,
    images: { ...frames('start_image', 'end_image'), ...references(4) },
    lastFrameAlone: true,
    mixes: true,
  },
  'kwaivgi/': guess(frames('start_image', 'end_image')),

  'minimax/hailuo-02': {
    ...HAILUO,
    resolutions: ['512p', '768p', '1080p'],
    images: frames('first_frame_image', 'last_frame_image'),
  },
  'minimax/hailuo-2.3-fast': { ...HAILUO, images: first('first_frame_image'), ...NEEDS_FIRST },
  'minimax/hailuo-2.3': { ...HAILUO, images: first('first_frame_image') },
  'minimax/': guess(frames('first_frame_image', 'last_frame_image')),

  'bytedance/seedance-2.0-fast': {
    ...SEEDANCE,
    seconds: { usual: 5, choices: fullSeconds(4, 15) },
    resolutions: ['480p', '720p'],
    images: { ...SEEDANCE_FRAMES, ...references(9) },
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-2.0': {
    ...SEEDANCE,
    seconds: { usual: 5, choices: fullSeconds(4, 15) },
    images: { ...SEEDANCE_FRAMES, ...references(9) },
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-1.5-pro': {
    ...SEEDANCE,
    seconds: { usual: 5, choices: fullSeconds(4, 12) },
    images: SEEDANCE_FRAMES,
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-1-lite': { ...SEEDANCE, images: { ...SEEDANCE_FRAMES, ...references(4) } },
  'bytedance/seedance-1-pro-fast': { ...SEEDANCE, images: first('image') },
  'bytedance/seedance-1-pro': { ...SEEDANCE, images: SEEDANCE_FRAMES },
  'bytedance/': guess(SEEDANCE_FRAMES),

  'openai/sora-2-pro': { ...SORA, resolutions: { '720p': 'standard', '1024p': 'high' } },
  'openai/sora-2': SORA,

  'luma/ray-2': RAY,
  'luma/ray-flash-2': RAY,
  'luma/': guess(frames('start_image', 'end_image')),

  'pixverse/pixverse-v4': {
    seconds: { usual: 5, choices: [5, 8] },
    shapes: THREE_SHAPES,
    resolutions: ['360p', '540p', '720p', '1080p'],
    resolutionField: 'quality',
    images: SEEDANCE_FRAMES,
    names: { seed: 'seed', negativePrompt: 'negative_prompt' },
    long: { over: 5, resolutions: ['360p', '540p', '720p'] },
  },
  'pixverse/': { ...guess(SEEDANCE_FRAMES), resolutionField: 'quality' },
};

export function replicateVideo(name: string): ReplicateVideo {
  return Object.entries(REPLICATE_VIDEOS).find(([beginning]) => name.startsWith(beginning))?.[1] ?? ANY;
}
