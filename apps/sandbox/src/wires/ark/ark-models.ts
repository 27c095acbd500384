import { ARK_VIDEOS, type Catalog, findModel } from '@sluice/vendors';
import { resolutionsOf, secondsOf } from '../media/catalog-model.ts';
import type { SceneModel } from '../media/content-scene.ts';

export interface ArkModel extends SceneModel {
  seconds: readonly number[];
  /** Whether the model chooses the duration if it is -1. */
  picksSeconds: boolean;
  resolutions: readonly string[];
  own: readonly ('seed' | 'camera_fixed' | 'frames' | 'generate_audio' | 'draft' | 'tools' | 'priority')[];
}

/**
 * Fields that the catalog does not contain (ModelArk docs, "Create a video generation task"). `clips` limits both the
 * number of videos and the number of audio files.
 */
const OWN: Catalog<Pick<ArkModel, 'own' | 'picksSeconds'> & { clips: number }> = [
  ['seedance-2-0', { own: ['generate_audio', 'tools', 'priority'], picksSeconds: true, clips: 3 }],
  ['seedance-1-5', { own: ['seed', 'camera_fixed', 'generate_audio', 'draft'], picksSeconds: true, clips: 0 }],
  ['seedance-1-0', { own: ['seed', 'camera_fixed', 'frames'], picksSeconds: false, clips: 0 }],
];

const ENDPOINT_MODEL = 'doubao-seedance-1-0-pro-250528';

export function resolveModelName(name: string): string {
  return /^ep-[\w-]+$/.test(name) ? ENDPOINT_MODEL : name;
}

/** BytePlus model names omit `doubao-` or use `dreamina-` instead. */
export function arkModelOf(name: string): ArkModel | undefined {
  const bare = resolveModelName(name).replace(/^(?:doubao|dreamina)-/, '');
  const [model, own] = [findModel(ARK_VIDEOS, bare), findModel(OWN, bare)];
  if (model === undefined || own === undefined) return undefined;
  const { first_frame: first = 0, last_frame: last = 0, reference: images = 0 } = model.images;
  return {
    seconds: secondsOf(model),
    picksSeconds: own.picksSeconds,
    resolutions: resolutionsOf(model),
    own: own.own,
    frames: first + last,
    references: { images, videos: own.clips, audios: own.clips },
    needsImage: model.needsImage === true,
  };
}
