import type { ImageRole } from '@sluice/canonical';
import { fullSeconds } from '../media/limit-params.ts';
import type { PlainInputs, Words } from './inputs.ts';
import { listOf, one, type ImageInputs } from './image-inputs.ts';

/** What a video model takes, under its own names. What is absent it does not have; `any` is passed on as wished. */
export interface VideoModel {
  /** Whether the names are the commonest, and not known to be this model's. */
  isGuess?: true;
  /** Durations in seconds. */
  seconds?: 'any' | { usual: number; choices: readonly number[]; field?: string };
  /** `aspect_ratio`. */
  shapes?: 'any' | Words;
  /** Whether a first or last frame decides the shape. */
  shapedByImage?: true;
  /** `resolution`, or `resolutionField`. */
  resolutions?: 'any' | Words;
  resolutionField?: string;
  /** Said where the client wished none, since the model's own would not do. */
  usualResolution?: string;
  /** `size` as `1280*720`, in place of a shape and a resolution. */
  sizes?: readonly string[];
  images: ImageInputs;
  needs?: readonly ImageRole[];
  /** Whether a last frame may come without a first. */
  takesLastAlone?: true;
  /** Whether references may stand beside frames. */
  mixes?: true;
  /** Whether what it makes has sound without a switch for it. */
  alwaysSounds?: true;
  names: PlainInputs;
  maxPromptLength?: number;
  /** What is otherwise with references, with a last frame, and for longer videos. */
  referring?: Partial<VideoModel>;
  ending?: Partial<VideoModel>;
  long?: Partial<VideoModel> & { over: number };
}

const frames = (first: string, last: string): ImageInputs => ({ first_frame: one(first), last_frame: one(last) });
const first = (field: string): ImageInputs => ({ first_frame: one(field) });
const references = (max?: number): ImageInputs => ({ reference: listOf('reference_images', max) });
const NEEDS_FIRST = { needs: ['first_frame'] } as const;

/** The commonest names, with what is known of a vendor's models as a whole. */
function guess(images: ImageInputs): VideoModel {
  return {
    isGuess: true,
    seconds: 'any',
    shapes: 'any',
    resolutions: 'any',
    images: { ...images, ...references() },
    takesLastAlone: true,
    mixes: true,
    names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio', fps: 'fps' },
  };
}
const ANY = guess(frames('image', 'last_frame_image'));

const UP_TO_1080 = ['480p', '720p', '1080p'];
const THREE_SHAPES = ['16:9', '9:16', '1:1'];
const VEO: Omit<VideoModel, 'images'> = {
  seconds: { usual: 8, choices: [4, 6, 8] },
  shapes: ['16:9', '9:16'],
  resolutions: ['720p', '1080p'],
  names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio' },
};
const WAN: Omit<VideoModel, 'images'> = {
  seconds: { usual: 5, choices: [5, 10] },
  alwaysSounds: true,
  names: { seed: 'seed', negativePrompt: 'negative_prompt', promptExtend: 'enable_prompt_expansion' },
};
const WAN_2_2: Omit<VideoModel, 'images'> = { resolutions: ['480p', '720p'], names: { seed: 'seed' } };
const KLING: Omit<VideoModel, 'images'> = {
  seconds: { usual: 5, choices: [5, 10] },
  shapes: THREE_SHAPES,
  shapedByImage: true,
  names: { negativePrompt: 'negative_prompt' },
};
const KLING_MODES = { resolutions: { '720p': 'standard', '1080p': 'pro' }, resolutionField: 'mode' };
const HAILUO: Omit<VideoModel, 'images'> = {
  seconds: { usual: 6, choices: [6, 10] },
  resolutions: ['768p', '1080p'],
  names: { promptExtend: 'prompt_optimizer' },
  long: { over: 6, resolutions: ['768p'], usualResolution: '768p' },
};
const SEEDANCE: Omit<VideoModel, 'images'> = {
  seconds: { usual: 5, choices: fullSeconds(2, 12) },
  shapes: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21'],
  shapedByImage: true,
  resolutions: UP_TO_1080,
  names: { seed: 'seed' },
};
const SEEDANCE_FRAMES = frames('image', 'last_frame_image');
const SORA: VideoModel = {
  seconds: { usual: 4, choices: [4, 8, 12], field: 'seconds' },
  shapes: { '16:9': 'landscape', '9:16': 'portrait' },
  images: first('input_reference'),
  alwaysSounds: true,
  names: {},
};
const RAY: VideoModel = {
  seconds: { usual: 5, choices: [5, 9] },
  shapes: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21'],
  shapedByImage: true,
  images: frames('start_image', 'end_image'),
  takesLastAlone: true,
  names: {},
};

/** By the beginning of `owner/name`, the longer before the shorter; as the models' API pages at replicate.com told in 2026. */
const MODELS: Readonly<Record<string, VideoModel>> = {
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
  // They count frames, not seconds.
  'wan-video/wan-2.2-t2v': { ...WAN_2_2, shapes: ['16:9', '9:16'], images: {} },
  'wan-video/wan-2.2-i2v': { ...WAN_2_2, images: frames('image', 'last_image'), ...NEEDS_FIRST },
  'wan-video/': guess(frames('image', 'last_image')),

  'kwaivgi/kling-v3-video': {
    ...KLING,
    ...KLING_MODES,
    seconds: { usual: 5, choices: fullSeconds(3, 15) },
    images: frames('start_image', 'end_image'),
    names: { ...KLING.names, audio: 'generate_audio' },
    maxPromptLength: 2500,
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
    takesLastAlone: true,
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

/** What a model takes, or is likely to. @param name `owner/name` */
export function videoModelOf(name: string): VideoModel {
  return Object.entries(MODELS).find(([beginning]) => name.startsWith(beginning))?.[1] ?? ANY;
}
