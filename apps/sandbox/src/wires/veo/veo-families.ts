import { findModel, VEO_VIDEOS } from '@sluice/vendors';
import { resolutionsOf, secondsOf } from '../media/catalog-model.ts';

export interface VeoFamily {
  seconds: readonly number[];
  /** If empty, the family has no such parameter. */
  resolutions: readonly string[];
  samples: number;
  lastFrame: boolean;
  references: boolean;
  /** Whether the model can extend a video that it generated. */
  extends: boolean;
}

/** Models with other names accept everything. */
const OTHERS: VeoFamily = {
  seconds: [4, 5, 6, 7, 8],
  resolutions: ['720p', '1080p', '4k'],
  samples: 4,
  lastFrame: true,
  references: true,
  extends: true,
};

/** Returns undefined for Google's models that do not generate videos. */
export function veoFamilyOf(name: string): VeoFamily | undefined {
  if (/^(gemini|imagen|gemma|text-embedding)/.test(name)) return undefined;
  const model = findModel(VEO_VIDEOS, name);
  if (model === undefined) return OTHERS;
  const references = model.images.reference !== undefined;
  return {
    seconds: secondsOf(model),
    resolutions: resolutionsOf(model),
    // ai.google.dev, "Generate videos with Veo": only Veo 2 makes two videos. Models with references extend videos.
    samples: name.startsWith('veo-2') ? 2 : 1,
    lastFrame: model.images.last_frame !== undefined,
    references,
    extends: references,
  };
}
