import type { ImageRole } from '@sluice/canonical';
import { megabytes, type ImageLimits, fullSeconds } from '../media/limit-params.ts';

/** How pictures are spelled: `img_url`, `first_frame_url` and `last_frame_url`, `reference_urls`, or a list of `media`. */
type ImageWire = 'img_url' | 'frames' | 'reference_urls' | 'media';
/** A step of resolution as the vendor spells it. */
export type Tier = '480P' | '720P' | '1080P';

/** What a video model can do. */
export interface VideoFamily {
  /** The family's own path, below `/api/v1/services/aigc`. */
  path: '/video-generation/video-synthesis' | '/image2video/video-synthesis';
  images: ImageWire;
  takes: Partial<Record<ImageRole, number>>;
  needs: readonly ImageRole[];
  /** Whether it follows references, so that a lone first frame is one. */
  refers: boolean;
  /** Absent: not known. */
  seconds?: readonly number[];
  tiers: readonly Tier[];
  /** How the frame is told: by its size, or by its tier and, where no picture gives it, its shape. */
  frame: 'size' | 'tier' | 'tier and ratio';
  /** Whether sound is made on demand, in any case or never; absent: not known. */
  sound?: 'chosen' | 'always' | 'never';
  /** Whether it takes `prompt_extend`. */
  extends: boolean;
  maxPrompt: number;
}

/** Alibaba docs, "Image-to-video API reference": 10 MB; those of 2.7 say 20 MB. */
export function imageLimits({ images }: VideoFamily): ImageLimits {
  return {
    mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp'],
    maxBytes: megabytes(images === 'media' ? 20 : 10),
  };
}

const ALL_TIERS = ['480P', '720P', '1080P'] as const;
const ANY_IMAGES = { first_frame: 1, last_frame: 1, reference: 10 };

/** Names that are none of wan's: asked as the newest of those, which takes every picture. */
const UNKNOWN: VideoFamily = {
  path: '/video-generation/video-synthesis',
  images: 'media',
  takes: ANY_IMAGES,
  needs: [],
  refers: false,
  tiers: ALL_TIERS,
  frame: 'tier and ratio',
  extends: true,
  maxPrompt: 5000,
};

/**
 * The family of a video model, by its name: `wan2.6-i2v-flash` is version 2.6 and mode i2v; up to 2.1 the name is also
 * `wanx`. Alibaba docs, the API references of each mode; @ai-sdk/alibaba 2.0.58 for the wire of 2.7 and 3.0.
 */
export function videoFamily(model: string): VideoFamily {
  const found = /^wanx?(\d)\.(\d)-(?:(t2v|i2v|kf2v|r2v)\b|video)/.exec(model);
  if (!found) return UNKNOWN;
  const version = Number(`${found[1]}${found[2]}`);
  const mode = found[3] ?? 'any';
  if (mode === 'kf2v') return { ...UNKNOWN, ...keyFrames(version, model) };
  return {
    ...UNKNOWN,
    ...imagesOf(mode, version),
    seconds: secondsOf(mode, version, model),
    tiers: tiersOf(version, model),
    frame: frameOf(mode, version),
    sound: soundOf(mode, version),
    extends: mode !== 'r2v' || version >= 27,
    maxPrompt: maxPromptOf(version),
  };
}

function keyFrames(version: number, model: string): Partial<VideoFamily> {
  return {
    path: '/image2video/video-synthesis',
    images: 'frames',
    takes: { first_frame: 1, last_frame: 1 },
    needs: ['first_frame'],
    seconds: [5],
    tiers: tiersOf(version, model),
    frame: 'tier',
    sound: 'never',
    maxPrompt: maxPromptOf(version),
  };
}

type ImageFields = Pick<VideoFamily, 'images' | 'takes' | 'needs' | 'refers'>;

function imagesOf(mode: string, version: number): ImageFields {
  const isNew = version >= 27;
  switch (mode) {
    case 't2v':
      return { images: 'media', takes: {}, needs: [], refers: false };
    case 'i2v':
      return isNew
        ? { images: 'media', takes: { first_frame: 1, last_frame: 1 }, needs: ['first_frame'], refers: false }
        : { images: 'img_url', takes: { first_frame: 1 }, needs: ['first_frame'], refers: false };
    case 'r2v':
      return isNew
        ? { images: 'media', takes: { first_frame: 1, reference: 5 }, needs: ['reference'], refers: true }
        : { images: 'reference_urls', takes: { reference: 5 }, needs: ['reference'], refers: true };
    default:
      return { images: 'media', takes: ANY_IMAGES, needs: [], refers: false };
  }
}

function secondsOf(mode: string, version: number, model: string): readonly number[] {
  if (version >= 30) return fullSeconds(2, 30);
  if (version >= 26) return mode === 'r2v' ? fullSeconds(2, 10) : fullSeconds(2, 15);
  if (version === 25) return [5, 10];
  return model.includes('i2v-turbo') ? [3, 4, 5] : [5];
}

function tiersOf(version: number, model: string): readonly Tier[] {
  if (version >= 30 || version === 25) return ALL_TIERS;
  if (version >= 26) return ['720P', '1080P'];
  const isPlus = model.includes('-plus');
  if (version === 22) return isPlus ? ['480P', '1080P'] : ALL_TIERS;
  return isPlus ? ['720P'] : ['480P', '720P'];
}

function frameOf(mode: string, version: number): VideoFamily['frame'] {
  if (mode === 'i2v') return 'tier';
  return version >= 27 ? 'tier and ratio' : 'size';
}

/** @ai-sdk/alibaba 2.0.58: up to 2.6 and from 3.0 on there is a switch, 2.7 has none and always makes sound. */
function soundOf(mode: string, version: number): 'chosen' | 'always' | 'never' {
  if (version < 25) return 'never';
  if (version >= 30) return 'chosen';
  return mode === 't2v' || version === 27 ? 'always' : 'chosen';
}

function maxPromptOf(version: number): number {
  if (version >= 27) return 5000;
  if (version === 26) return 1500;
  return version === 25 ? 2000 : 800;
}
