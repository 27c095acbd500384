import type { ImageRole } from '@sluice/canonical';
import { CONTENT_BYTES } from '../media/content-items.ts';
import { type ImageLimits, fullSeconds } from '../media/limit-params.ts';

/** Volcengine docs 82379/1520757, `image_url.url`. */
export const PICTURES: ImageLimits = {
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/bmp', 'image/tiff', 'image/gif'],
  ...CONTENT_BYTES,
};

/** What the models of one family make. */
export interface ArkFamily {
  /** Durations in seconds. */
  seconds: readonly number[];
  resolutions: readonly string[];
  /** How many pictures of each role. */
  images: Partial<Record<ImageRole, number>>;
  /** Whether `generate_audio` is taken. */
  audio: boolean;
  seed: boolean;
  /** Whether nothing is made without a picture. */
  needsImage?: boolean;
}

const UP_TO_1080 = ['480p', '720p', '1080p'];
const SECOND = { images: { first_frame: 1, last_frame: 1, reference: 9 }, audio: true, seed: false };

/**
 * By the beginning of the name, the longer first (Volcengine docs 82379/1520757, "创建视频生成任务"). BytePlus leaves
 * `doubao-` out or says `dreamina-`.
 */
const FAMILIES: readonly (readonly [prefix: string, family: ArkFamily])[] = [
  ['seedance-2-0-fast', { ...SECOND, seconds: fullSeconds(4, 15), resolutions: ['480p', '720p'] }],
  ['seedance-2-0-mini', { ...SECOND, seconds: fullSeconds(4, 15), resolutions: ['480p', '720p'] }],
  ['seedance-2-0', { ...SECOND, seconds: fullSeconds(4, 15), resolutions: [...UP_TO_1080, '4k'] }],
  [
    'seedance-1-5-pro',
    {
      seconds: fullSeconds(4, 12),
      resolutions: UP_TO_1080,
      images: { first_frame: 1, last_frame: 1 },
      audio: true,
      seed: true,
    },
  ],
  ['seedance-1-0-pro-fast', first({ first_frame: 1 })],
  ['seedance-1-0-pro', first({ first_frame: 1, last_frame: 1 })],
  ['seedance-1-0-lite-t2v', first({})],
  ['seedance-1-0-lite-i2v', { ...first({ first_frame: 1, last_frame: 1, reference: 4 }), needsImage: true }],
];

function first(images: ArkFamily['images']): ArkFamily {
  return { seconds: fullSeconds(2, 12), resolutions: UP_TO_1080, images, audio: false, seed: true };
}

/** The family of a model; nothing for names that tell none, such as those of endpoints (`ep-…`). */
export function familyOf(model: string): ArkFamily | undefined {
  const name = model.replace(/^(?:doubao|dreamina)-/, '');
  return FAMILIES.find(([prefix]) => name.startsWith(prefix))?.[1];
}
