import { type MediaLossReport, type Review, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import { resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptBesideImages,
  promptOf,
  refuseRemix,
  requireImages,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { frameAmong } from '../media/nearest-frame.ts';
import { type Framing, type VideoModel, videoModelOf } from './video-models.ts';

const USUAL_SECONDS = 5;
const FIELDS = ['audio', 'negativePrompt', 'seed'] as const;
/** What is written for a model that nothing is known of: the wished frame, as it is. */
const ANY: VideoModel = {
  text: {},
  image: {},
  isWordless: true,
  takesLast: true,
  references: Infinity,
  has: FIELDS,
};

/** What Runway is asked for, by its names. */
export interface RunwayVideoPlan extends Review {
  /** Whether it starts from a first frame: another endpoint. */
  fromImage: boolean;
  options: {
    promptText?: string;
    ratio?: string;
    resolution?: string;
    duration?: number;
    seed?: number;
    audio?: boolean;
    negativePrompt?: string;
  };
}

/** Works out what Runway is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planRunwayVideo(model: string, request: VideoRequest, report: MediaLossReport): RunwayVideoPlan {
  const known = videoModelOf(model);
  const { text, image: imageInput, isWordless, maxPromptLength = Infinity, has = [] } = known ?? ANY;
  refuseRemix(request);
  checkImages(request, known);
  const fromImage = request.images.some(({ role }) => role !== 'reference');
  if (!text) requireImages(request.images, ['first_frame']);
  const prompt =
    isWordless && fromImage ? promptBesideImages(request, maxPromptLength) : promptOf(request, maxPromptLength);
  dropFields(request, ['fps', 'watermark', 'promptExtend'], report);
  const taken = FIELDS.filter((field) => has.includes(field));
  const untaken = FIELDS.filter((field) => field !== 'audio' && !has.includes(field));
  dropFields(request, untaken, report);
  // A model without sound makes none anyway.
  if (!taken.includes('audio') && request.audio === true) report({ field: 'audio', how: 'dropped' });
  const duration = known?.seconds
    ? secondsOf(request, known.seconds, usualOf(known.seconds), report)
    : fullSecondsOf(request, report);
  const frame = known
    ? framed(request, (fromImage ? imageInput : text) ?? imageInput, report)
    : asWished(request, report);
  return {
    ...(duration !== undefined && { seconds: String(duration) }),
    fromImage,
    options: {
      ...(prompt !== undefined && { promptText: prompt }),
      ...frame,
      ...(duration !== undefined && { duration }),
      ...Object.fromEntries(taken.flatMap((field) => (request[field] === undefined ? [] : [[field, request[field]]]))),
    },
  };
}

function usualOf(seconds: readonly number[]): number {
  return seconds.includes(USUAL_SECONDS) ? USUAL_SECONDS : Math.max(...seconds);
}

function checkImages(request: VideoRequest, known: VideoModel | undefined): void {
  const { takesLast, references = 0 } = known ?? ANY;
  limitImages(request.images, { first_frame: 1, last_frame: takesLast ? 1 : 0, reference: references });
  refuseMixedImages(request);
  const has = (role: string): boolean => request.images.some((image) => image.role === role);
  if (known && has('last_frame') && !has('first_frame')) {
    throw new UnsupportedParamsError('lastFrame', 'is taken only with a first frame by this model');
  }
}

interface Frame {
  ratio?: string;
  resolution?: string;
}

function framed(request: VideoRequest, framing: Framing, report: MediaLossReport): Frame {
  const { ratios, resolutions, tiers, isNeeded } = framing;
  if (tiers) {
    dropFields(request, ['aspectRatio'], report);
    return { ratio: `auto_${resolutionOf(request, tiers, report) ?? '720p'}` };
  }
  if (resolutions) {
    const ratio = ratios && shapeOf(request, ratios, report);
    if (!ratios) dropFields(request, ['aspectRatio'], report);
    const resolution = resolutionOf(request, resolutions, report);
    return { ...(ratio !== undefined && { ratio }), ...(resolution !== undefined && { resolution }) };
  }
  const ratio = frameAmong(request, ratios ?? [], report) ?? (isNeeded ? ratios?.[0] : undefined);
  return ratio === undefined ? {} : { ratio };
}

/** The frame in the client's words: pixels as Runway spells them, a shape or a resolution as it is. */
function asWished({ size, aspectRatio, resolution }: VideoRequest, report: MediaLossReport): Frame {
  if (size !== undefined) {
    if (aspectRatio !== undefined) report({ field: 'aspectRatio', how: 'dropped' });
    return { ratio: size.replace('x', ':') };
  }
  return { ...(aspectRatio !== undefined && { ratio: aspectRatio }), ...(resolution !== undefined && { resolution }) };
}
