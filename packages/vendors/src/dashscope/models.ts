import { type Catalog, fullSeconds, megabytes, type VideoModel } from '../schema/models.ts';

export type DashscopeTier = '480P' | '720P' | '1080P';

export interface DashscopeVideo extends VideoModel {
  /** Path below `/api/v1/services/aigc`. */
  path: '/video-generation/video-synthesis' | '/image2video/video-synthesis';
  /**
   * How images are sent: in `img_url`, in `first_frame_url` and `last_frame_url` (`frames`), in `reference_urls`, or in
   * a `media` list.
   */
  imageField: 'img_url' | 'frames' | 'reference_urls' | 'media';
  tiers: readonly DashscopeTier[];
  /** Whether the frame is sent as a size or a tier. `tier and ratio` adds the ratio, unless an image determines it. */
  frame: 'size' | 'tier' | 'tier and ratio';
}

const ALL_TIERS = ['480P', '720P', '1080P'] as const;
const ANY_IMAGES = { first_frame: 1, last_frame: 1, reference: 10 };
const FIRST = { first_frame: 1 };
const FRAMES = { first_frame: 1, last_frame: 1 };
const OPTIONAL_FIELDS = ['negativePrompt', 'seed', 'watermark', 'promptExtend', 'audio'] as const;
const imageFiles = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp'],
  maxBytes: megabytes(20),
};
/** Alibaba docs, "Image-to-video API reference": 10 MB, or 20 MB for 2.7 models. */
const OLD_FILES = { ...imageFiles, maxBytes: megabytes(10) };

/** Unknown models are called like the newest Wan models, which accept images in every role. */
const UNKNOWN: DashscopeVideo = {
  path: '/video-generation/video-synthesis',
  imageField: 'media',
  images: ANY_IMAGES,
  imageFiles,
  allowsLastFrameAlone: true,
  optionalPrompt: 'image',
  maxPrompt: 5000,
  // Alibaba docs, `negative_prompt`: longer texts are truncated without an error.
  maxNegativePrompt: 500,
  optionalFields: OPTIONAL_FIELDS,
  tiers: ALL_TIERS,
  frame: 'tier and ratio',
};

/**
 * Finds a model by its name. For example, `wan2.6-i2v-flash` has version 2.6 and mode i2v. Names up to version 2.1 may
 * start with `wanx`. Sources: Alibaba docs, API reference of each mode; @ai-sdk/alibaba 2.0.58 for 2.7 and 3.0.
 */
export function dashscopeVideo(name: string): DashscopeVideo {
  const match = /^wanx?(\d)\.(\d)-(?:(t2v|i2v|kf2v|r2v)\b|video)/.exec(name);
  if (!match) return UNKNOWN;
  const version = Number(`${match[1]}${match[2]}`);
  const mode = match[3] ?? 'any';
  const known = { ...UNKNOWN, defaultSeconds: 5, tiers: tiersOf(version, name), maxPrompt: maxPromptOf(version) };
  if (mode === 'kf2v') {
    return {
      ...known,
      path: '/image2video/video-synthesis',
      ...OLD_IMAGES.kf2v,
      seconds: [5],
      frame: 'tier',
      ...soundOf(mode, 0, OPTIONAL_FIELDS),
    };
  }
  const optionalFields =
    mode === 'r2v' && version < 27 ? OPTIONAL_FIELDS.filter((field) => field !== 'promptExtend') : OPTIONAL_FIELDS;
  return {
    ...known,
    ...(version >= 27 ? NEW_IMAGES : OLD_IMAGES)[mode],
    seconds: secondsOf(mode, version, name),
    frame: frameOf(mode, version),
    ...soundOf(mode, version, optionalFields),
  };
}

type ImageFields = Partial<
  Pick<DashscopeVideo, 'imageField' | 'images' | 'imageFiles' | 'needs' | 'allowsMixedImages' | 'optionalPrompt'>
>;

const REFERS = { needs: ['reference'], allowsMixedImages: true, optionalPrompt: undefined } as const;
const NEW_IMAGES: Readonly<Record<string, ImageFields>> = {
  t2v: { images: {} },
  i2v: { images: FRAMES, needs: ['first_frame'] },
  r2v: { images: { first_frame: 1, reference: 5 }, ...REFERS },
};
const OLD_IMAGES: Readonly<Record<string, ImageFields>> = {
  t2v: { images: {} },
  i2v: { imageField: 'img_url', imageFiles: OLD_FILES, images: FIRST, needs: ['first_frame'] },
  kf2v: { imageField: 'frames', imageFiles: OLD_FILES, images: FRAMES, needs: ['first_frame'] },
  r2v: { imageField: 'reference_urls', imageFiles: OLD_FILES, images: { reference: 5 }, ...REFERS },
};

function secondsOf(mode: string, version: number, name: string): readonly number[] {
  if (version >= 30) return fullSeconds(2, 30);
  if (version >= 26) return mode === 'r2v' ? fullSeconds(2, 10) : fullSeconds(2, 15);
  if (version === 25) return [5, 10];
  return name.includes('i2v-turbo') ? [3, 4, 5] : [5];
}

function tiersOf(version: number, name: string): readonly DashscopeTier[] {
  if (version >= 30 || version === 25) return ALL_TIERS;
  if (version >= 26) return ['720P', '1080P'];
  const isPlus = name.includes('-plus');
  if (version === 22) return isPlus ? ['480P', '1080P'] : ALL_TIERS;
  return isPlus ? ['720P'] : ['480P', '720P'];
}

function frameOf(mode: string, version: number): DashscopeVideo['frame'] {
  if (mode === 'i2v') return 'tier';
  return version >= 27 ? 'tier and ratio' : 'size';
}

/** @ai-sdk/alibaba 2.0.58: sound is optional in versions up to 2.6 and from 3.0 on; version 2.7 always has it. */
function soundOf(
  mode: string,
  version: number,
  optionalFields: VideoModel['optionalFields'],
): Pick<VideoModel, 'optionalFields' | 'fixed'> {
  const isSilent = version < 25;
  if (!isSilent && (version >= 30 || (mode !== 't2v' && version !== 27))) return { optionalFields };
  return { optionalFields: optionalFields.filter((field) => field !== 'audio'), fixed: { audio: !isSilent } };
}

function maxPromptOf(version: number): number {
  if (version >= 27) return 5000;
  if (version === 26) return 1500;
  return version === 25 ? 2000 : 800;
}

const NAMES =
  'wan3.0-t2v wan3.0-i2v wan3.0-r2v wan2.7-t2v wan2.7-i2v wan2.7-r2v wan2.6-t2v wan2.6-i2v wan2.6-r2v wan2.5-t2v ' +
  'wan2.5-i2v wan2.2-t2v-plus wan2.2-i2v-plus wan2.2-i2v-flash wan2.2-kf2v wanx2.1-t2v-turbo wanx2.1-t2v-plus ' +
  'wanx2.1-i2v-turbo wanx2.1-i2v-plus wanx2.1-kf2v-plus';

/** The limits of each version and mode, listed for the documentation. Requests use `dashscopeVideo`. */
export const DASHSCOPE_VIDEOS: Catalog<DashscopeVideo> = NAMES.split(' ').map((name) => [name, dashscopeVideo(name)]);
