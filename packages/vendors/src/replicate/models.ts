import type { ImageRole } from '@sluice/canonical';
import { fullSeconds, UP_TO_1080 } from '../schema/models.ts';
import { first, frames, type ImageInputs, type InputNames, type InputValues, references } from './inputs.ts';

/** A Replicate video model with its own input names. `any` means that the requested value is sent unchanged. */
export interface ReplicateVideo {
  /** Whether the model's input names are unknown. The most common names are then used. */
  usesCommonNames?: true;
  seconds?: 'any' | { default: number; choices: readonly number[]; field?: string };
  aspectRatios?: 'any' | InputValues;
  /** Whether a first or last frame determines the aspect ratio. */
  imageSetsAspectRatio?: true;
  resolutions?: 'any' | InputValues;
  resolutionField?: string;
  /** The resolution that is sent if the request sets none and the model's own default is not allowed. */
  defaultResolution?: string;
  /** Supported `size` values (e.g. `1280*720`). They replace the aspect ratio and the resolution. */
  sizes?: readonly string[];
  images: ImageInputs;
  needs?: readonly ImageRole[];
  allowsLastFrameAlone?: true;
  /** Whether a request may contain both references and frames. */
  allowsMixedImages?: true;
  /** Whether the model always generates sound. */
  alwaysHasAudio?: true;
  names: InputNames;
  maxPrompt?: number;
  /** These three override other fields for requests with references, with a last frame, and for longer videos. */
  withReferences?: Partial<ReplicateVideo>;
  withLastFrame?: Partial<ReplicateVideo>;
  forLongVideos?: Partial<ReplicateVideo> & { over: number };
}

const NEEDS_FIRST = { needs: ['first_frame'] } as const;

/** Creates a model with the most common names, for unknown models. */
function withCommonNames(images: ImageInputs): ReplicateVideo {
  return {
    usesCommonNames: true,
    seconds: 'any',
    aspectRatios: 'any',
    resolutions: 'any',
    images: { ...images, ...references() },
    allowsLastFrameAlone: true,
    allowsMixedImages: true,
    names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio', fps: 'fps' },
  };
}
const ANY = withCommonNames(frames('image', 'last_frame_image'));

const THREE_ASPECT_RATIOS = ['16:9', '9:16', '1:1'];
const VEO: Omit<ReplicateVideo, 'images'> = {
  seconds: { default: 8, choices: [4, 6, 8] },
  aspectRatios: ['16:9', '9:16'],
  resolutions: ['720p', '1080p'],
  names: { seed: 'seed', negativePrompt: 'negative_prompt', audio: 'generate_audio' },
};
const WAN: Omit<ReplicateVideo, 'images'> = {
  seconds: { default: 5, choices: [5, 10] },
  alwaysHasAudio: true,
  names: { seed: 'seed', negativePrompt: 'negative_prompt', promptExtend: 'enable_prompt_expansion' },
};
const WAN_2_2: Omit<ReplicateVideo, 'images'> = { resolutions: ['480p', '720p'], names: { seed: 'seed' } };
const KLING: Omit<ReplicateVideo, 'images'> = {
  seconds: { default: 5, choices: [5, 10] },
  aspectRatios: THREE_ASPECT_RATIOS,
  imageSetsAspectRatio: true,
  names: { negativePrompt: 'negative_prompt' },
};
const KLING_MODES = { resolutions: { '720p': 'standard', '1080p': 'pro' }, resolutionField: 'mode' };
const HAILUO: Omit<ReplicateVideo, 'images'> = {
  seconds: { default: 6, choices: [6, 10] },
  resolutions: ['768p', '1080p'],
  names: { promptExtend: 'prompt_optimizer' },
  forLongVideos: { over: 6, resolutions: ['768p'], defaultResolution: '768p' },
};
const SEEDANCE: Omit<ReplicateVideo, 'images'> = {
  seconds: { default: 5, choices: fullSeconds(2, 12) },
  aspectRatios: ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21'],
  imageSetsAspectRatio: true,
  resolutions: UP_TO_1080,
  names: { seed: 'seed' },
};
const SEEDANCE_FRAMES = frames('image', 'last_frame_image');
const SORA: ReplicateVideo = {
  seconds: { default: 4, choices: [4, 8, 12], field: 'seconds' },
  aspectRatios: { '16:9': 'landscape', '9:16': 'portrait' },
  images: first('input_reference'),
  alwaysHasAudio: true,
  names: {},
};
const RAY: ReplicateVideo = {
  seconds: { default: 5, choices: [5, 9] },
  aspectRatios: ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21'],
  imageSetsAspectRatio: true,
  images: frames('start_image', 'end_image'),
  allowsLastFrameAlone: true,
  names: {},
};

/** Models by the prefix of `owner/name`, longer prefixes first. Source: the API pages at replicate.com in 2026. */
export const REPLICATE_VIDEOS: Readonly<Record<string, ReplicateVideo>> = {
  'google/veo-3.1-fast': { ...VEO, images: frames('image', 'last_frame') },
  'google/veo-3.1': {
    ...VEO,
    images: { ...frames('image', 'last_frame'), ...references(3) },
    withReferences: { seconds: { default: 8, choices: [8] }, aspectRatios: ['16:9'] },
  },
  'google/veo-3': { ...VEO, images: first('image') },

  'wan-video/wan-2.5-t2v': {
    ...WAN,
    sizes: ['832x480', '480x832', '1280x720', '720x1280', '1920x1080', '1080x1920'],
    images: {},
  },
  'wan-video/wan-2.5-i2v': { ...WAN, resolutions: UP_TO_1080, images: first('image'), ...NEEDS_FIRST },
  // These models count frames, not seconds.
  'wan-video/wan-2.2-t2v': { ...WAN_2_2, aspectRatios: ['16:9', '9:16'], images: {} },
  'wan-video/wan-2.2-i2v': { ...WAN_2_2, images: frames('image', 'last_image'), ...NEEDS_FIRST },
  'wan-video/': withCommonNames(frames('image', 'last_image')),

  'kwaivgi/kling-v3-video': {
    ...KLING,
    ...KLING_MODES,
    seconds: { default: 5, choices: fullSeconds(3, 15) },
    images: frames('start_image', 'end_image'),
    names: { ...KLING.names, audio: 'generate_audio' },
    maxPrompt: 2500,
  },
  'kwaivgi/kling-o1': {
    ...KLING,
    resolutions: { '720p': 'std', '1080p': 'pro' },
    resolutionField: 'mode',
    images: { ...frames('start_image', 'end_image'), ...references(7) },
    allowsMixedImages: true,
    names: {},
  },
  'kwaivgi/kling-v2.5-turbo-pro': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v2.1-master': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v2.1': {
    ...KLING,
    ...KLING_MODES,
    images: frames('start_image', 'end_image'),
    ...NEEDS_FIRST,
    withLastFrame: { resolutions: { '1080p': 'pro' }, defaultResolution: '1080p' },
  },
  'kwaivgi/kling-v2.0': { ...KLING, images: first('start_image') },
  'kwaivgi/kling-v1.6-pro': {
    ...KLING,
    images: { ...frames('start_image', 'end_image'), ...references(4) },
    allowsLastFrameAlone: true,
    allowsMixedImages: true,
  },
  'kwaivgi/': withCommonNames(frames('start_image', 'end_image')),

  'minimax/hailuo-02': {
    ...HAILUO,
    resolutions: ['512p', '768p', '1080p'],
    images: frames('first_frame_image', 'last_frame_image'),
  },
  'minimax/hailuo-2.3-fast': { ...HAILUO, images: first('first_frame_image'), ...NEEDS_FIRST },
  'minimax/hailuo-2.3': { ...HAILUO, images: first('first_frame_image') },
  'minimax/': withCommonNames(frames('first_frame_image', 'last_frame_image')),

  'bytedance/seedance-2.0-fast': {
    ...SEEDANCE,
    seconds: { default: 5, choices: fullSeconds(4, 15) },
    resolutions: ['480p', '720p'],
    images: { ...SEEDANCE_FRAMES, ...references(9) },
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-2.0': {
    ...SEEDANCE,
    seconds: { default: 5, choices: fullSeconds(4, 15) },
    images: { ...SEEDANCE_FRAMES, ...references(9) },
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-1.5-pro': {
    ...SEEDANCE,
    seconds: { default: 5, choices: fullSeconds(4, 12) },
    images: SEEDANCE_FRAMES,
    names: { seed: 'seed', audio: 'generate_audio' },
  },
  'bytedance/seedance-1-lite': { ...SEEDANCE, images: { ...SEEDANCE_FRAMES, ...references(4) } },
  'bytedance/seedance-1-pro-fast': { ...SEEDANCE, images: first('image') },
  'bytedance/seedance-1-pro': { ...SEEDANCE, images: SEEDANCE_FRAMES },
  'bytedance/': withCommonNames(SEEDANCE_FRAMES),

  'openai/sora-2-pro': { ...SORA, resolutions: { '720p': 'standard', '1024p': 'high' } },
  'openai/sora-2': SORA,

  'luma/ray-2': RAY,
  'luma/ray-flash-2': RAY,
  'luma/': withCommonNames(frames('start_image', 'end_image')),

  'pixverse/pixverse-v4': {
    seconds: { default: 5, choices: [5, 8] },
    aspectRatios: THREE_ASPECT_RATIOS,
    resolutions: ['360p', '540p', '720p', '1080p'],
    resolutionField: 'quality',
    images: SEEDANCE_FRAMES,
    names: { seed: 'seed', negativePrompt: 'negative_prompt' },
    forLongVideos: { over: 5, resolutions: ['360p', '540p', '720p'] },
  },
  'pixverse/': { ...withCommonNames(SEEDANCE_FRAMES), resolutionField: 'quality' },
};

export function replicateVideo(name: string): ReplicateVideo {
  return Object.entries(REPLICATE_VIDEOS).find(([beginning]) => name.startsWith(beginning))?.[1] ?? ANY;
}
