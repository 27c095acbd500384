import type { SceneModel } from '../media/content-scene.ts';

export interface ArkModel extends SceneModel {
  seconds: readonly number[];
  /** Whether -1 leaves the duration to the model. */
  picksSeconds: boolean;
  resolutions: readonly string[];
  own: readonly ('seed' | 'camera_fixed' | 'frames' | 'generate_audio' | 'draft' | 'tools' | 'priority')[];
}

function upTo(min: number, max: number): number[] {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index);
}

const NO_REFERENCES = { images: 0, videos: 0, audios: 0 };

const FIRST: ArkModel = {
  seconds: upTo(2, 12),
  picksSeconds: false,
  resolutions: ['480p', '720p', '1080p'],
  own: ['seed', 'camera_fixed', 'frames'],
  frames: 2,
  references: NO_REFERENCES,
  needsImage: false,
};
const MIDDLE: ArkModel = {
  ...FIRST,
  seconds: upTo(4, 12),
  picksSeconds: true,
  own: ['seed', 'camera_fixed', 'generate_audio', 'draft'],
};
const SECOND: ArkModel = {
  ...FIRST,
  seconds: upTo(4, 15),
  picksSeconds: true,
  resolutions: ['480p', '720p', '1080p', '4k'],
  own: ['generate_audio', 'tools', 'priority'],
  references: { images: 9, videos: 3, audios: 3 },
};
const SMALL: ArkModel = { ...SECOND, resolutions: ['480p', '720p'] };
const LITE_REFERENCES = { ...NO_REFERENCES, images: 4 };

/** By name prefix, the longer first (ModelArk docs, "Create a video generation task"). */
const MODELS: readonly (readonly [beginning: string, model: ArkModel])[] = [
  ['seedance-2-0-fast', SMALL],
  ['seedance-2-0-mini', SMALL],
  ['seedance-2-0', SECOND],
  ['seedance-1-5-pro', MIDDLE],
  ['seedance-1-0-pro-fast', { ...FIRST, frames: 1 }],
  ['seedance-1-0-pro', FIRST],
  ['seedance-1-0-lite-t2v', { ...FIRST, frames: 0 }],
  ['seedance-1-0-lite-i2v', { ...FIRST, references: LITE_REFERENCES, needsImage: true }],
];

/** The model behind every endpoint id. */
const ENDPOINT_MODEL = 'doubao-seedance-1-0-pro-250528';

export function resolveModelName(name: string): string {
  return /^ep-[\w-]+$/.test(name) ? ENDPOINT_MODEL : name;
}

/** BytePlus omits `doubao-` or uses `dreamina-`. */
export function arkModelOf(name: string): ArkModel | undefined {
  const bare = resolveModelName(name).replace(/^(?:doubao|dreamina)-/, '');
  return MODELS.find(([beginning]) => bare.startsWith(beginning))?.[1];
}
