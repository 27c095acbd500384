import type { ImageRole, MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import {
  dropFields,
  limitImages,
  limitText,
  promptBesideImages,
  promptOf,
  refuseRemix,
  requireImages,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { frameFields } from './video-frame.ts';
import { imageLimits, type VideoFamily, videoFamily } from './video-models.ts';

/** Alibaba docs, `negative_prompt`; of longer ones the rest is cut off without a word. */
const MAX_NEGATIVE = 500;
const USUAL_SECONDS = 5;

/** What the vendor will be asked for. */
export interface VideoPlan extends Review {
  family: VideoFamily;
  /** What each of the wish's pictures is used for, in their order. */
  roles: ImageRole[];
  /** The body, but for the model and the pictures. */
  input: Record<string, unknown>;
  parameters: Record<string, unknown>;
}

/** @throws {UnsupportedParamsError} */
export function planVideo(model: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  refuseRemix(request);
  const family = videoFamily(model);
  const images = imagesFor(request, family, report);
  limitImages(images, family.takes, imageLimits(family));
  requireImages(images, family.needs);
  if (!family.refers) refuseMixedImages(request);
  const prompt = family.refers ? promptOf(request, family.maxPrompt) : promptBesideImages(request, family.maxPrompt);
  limitText('negativePrompt', request.negativePrompt, MAX_NEGATIVE);
  dropFields(request, ['fps', ...(family.extends ? [] : (['promptExtend'] as const))], report);
  const seconds = family.seconds
    ? secondsOf(request, family.seconds, USUAL_SECONDS, report)
    : fullSecondsOf(request, report);
  const audio = soundFor(request, family, report);
  return {
    family,
    roles: images.map(({ role }) => role),
    ...(seconds !== undefined && { seconds: String(seconds) }),
    input: {
      ...(prompt !== undefined && { prompt }),
      ...(request.negativePrompt !== undefined && { negative_prompt: request.negativePrompt }),
    },
    parameters: {
      ...frameFields(request, family, report),
      ...(request.seconds !== undefined && { duration: seconds }),
      ...(request.seed !== undefined && { seed: request.seed }),
      ...(request.watermark !== undefined && { watermark: request.watermark }),
      ...(family.extends && request.promptExtend !== undefined && { prompt_extend: request.promptExtend }),
      ...(audio !== undefined && { audio }),
    },
  };
}

/** The pictures, a lone one taken for a reference where the model starts from those alone. */
function imagesFor({ images }: VideoRequest, { refers }: VideoFamily, report: MediaLossReport) {
  const [first] = images;
  if (!refers || first?.role !== 'first_frame' || images.length > 1) return images;
  report({ field: 'firstFrame', how: 'replaced' });
  return [{ ...first, role: 'reference' as const }];
}

/** The switch for sound, where there is one; what is made anyway needs none. */
function soundFor({ audio }: VideoRequest, { sound }: VideoFamily, report: MediaLossReport): boolean | undefined {
  if (audio === undefined || sound === undefined || sound === 'chosen') return audio;
  if (audio !== (sound === 'always')) report({ field: 'audio', how: 'dropped' });
  return undefined;
}
