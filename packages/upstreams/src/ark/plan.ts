import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import { resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptBesideImages,
  refuseRemix,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { type ArkFamily, familyOf, PICTURES } from './families.ts';

/** `adaptive`, the usual one, is what Ark takes when no shape is said. */
const SHAPES = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9'];
const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];
const USUAL_SECONDS = 5;
/** More than any model reads well; Ark names no limit but advises 500 characters. */
const MAX_PROMPT_LENGTH = 10_000;
const ANY_IMAGES = { first_frame: 1, last_frame: 1, reference: 9 };

/** What Ark is asked for. */
export interface ArkPlan {
  prompt?: string;
  /** Seconds as text; absent where the model is not known and the client named none. */
  seconds?: string;
  /** Fields of the body, by Ark's names. */
  options: {
    duration?: number;
    ratio?: string;
    resolution?: string;
    seed?: number;
    watermark?: boolean;
    generate_audio?: boolean;
  };
}

/** Works out what Ark is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planArk(model: string, request: VideoRequest, report: MediaLossReport): ArkPlan {
  const family = familyOf(model);
  refuseRemix(request);
  checkImages(request, family);
  // Ark has fields for none of these; its videos have 24 frames a second.
  dropFields(request, ['negativePrompt', 'fps', 'promptExtend'], report);
  const prompt = promptBesideImages(request, MAX_PROMPT_LENGTH);
  const duration = family ? secondsOf(request, family.seconds, USUAL_SECONDS, report) : fullSecondsOf(request, report);
  const ratio = shapeOf(request, SHAPES, report);
  const resolution = resolutionOf(request, family?.resolutions ?? RESOLUTIONS, report);
  const { seed, watermark, audio } = request;
  const takesSeed = family?.seed ?? true;
  const takesAudio = family?.audio ?? true;
  if (!takesSeed) dropFields(request, ['seed'], report);
  // A model without sound makes none anyway.
  if (!takesAudio && audio === true) report({ field: 'audio', how: 'dropped' });
  return {
    ...(prompt !== undefined && { prompt }),
    ...(duration !== undefined && { seconds: String(duration) }),
    options: {
      ...(duration !== undefined && { duration }),
      ...(ratio !== undefined && { ratio }),
      ...(resolution !== undefined && { resolution }),
      ...(takesSeed && seed !== undefined && { seed }),
      ...(watermark !== undefined && { watermark }),
      ...(takesAudio && audio !== undefined && { generate_audio: audio }),
    },
  };
}

function checkImages(request: VideoRequest, family: ArkFamily | undefined): void {
  const { images } = request;
  limitImages(images, family?.images ?? ANY_IMAGES, PICTURES);
  if (family?.needsImage === true && images.length === 0) {
    throw new UnsupportedParamsError('firstFrame', 'is required by this model');
  }
  refuseMixedImages(request);
  const has = (role: string): boolean => images.some((image) => image.role === role);
  if (has('last_frame') && !has('first_frame')) {
    throw new UnsupportedParamsError('lastFrame', 'is taken only with a first frame by this model');
  }
}
