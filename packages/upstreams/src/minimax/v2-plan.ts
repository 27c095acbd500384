import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import { resolutionOf, shapeOf } from '../media/frame-shape.ts';
import {
  dropFields,
  limitImages,
  promptOf,
  refuseRemix,
  secondsOf,
  fullSeconds,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { IMAGES_V2 } from './images.ts';

interface Family {
  /** Durations in seconds. */
  seconds: readonly number[];
  resolutions: readonly string[];
}

/** By the beginning of the name, the longer first (MiniMax docs, "Video Generation V2"). */
const FAMILIES: readonly (readonly [prefix: string, family: Family])[] = [
  ['MiniMax-H3-Max', { seconds: fullSeconds(5, 15), resolutions: ['480P', '768P'] }],
  ['MiniMax-H3', { seconds: fullSeconds(4, 15), resolutions: ['768P', '2K'] }],
];
const ANY_RESOLUTION = ['480P', '768P', '1080P', '2K', '4K'];
const SHAPES = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
/** v2 wants duration, resolution and, without pictures, a shape in every request. */
const USUAL = { seconds: 5, resolution: '768P', ratio: '16:9' };
/** MiniMax docs: at most 7000 characters. */
const MAX_PROMPT_LENGTH = 7000;

/** What v2 is asked for. */
export interface PlanV2 {
  version: 2;
  prompt: string;
  /** Seconds as text. */
  seconds: string;
  /** Fields of the body, by MiniMax's names. */
  options: { duration: number; resolution: string; ratio?: string; aigc_watermark?: boolean };
}

/** Tells whether a model is served by v2: MiniMax-H3 and later. Those of v1 are called MiniMax-Hailuo-… */
export function isV2(model: string): boolean {
  return /^MiniMax-H\d/.test(model);
}

/** Works out what v2 is asked for. @throws {UnsupportedParamsError} */
export function planV2(model: string, request: VideoRequest, report: MediaLossReport): PlanV2 {
  const family = FAMILIES.find(([prefix]) => model.startsWith(prefix))?.[1];
  refuseRemix(request);
  limitImages(request.images, { first_frame: 1, last_frame: 1, reference: 9 }, IMAGES_V2);
  refuseMixedImages(request);
  dropFields(request, ['negativePrompt', 'fps', 'seed', 'promptExtend'], report);
  if (request.audio === false) report({ field: 'audio', how: 'dropped' }); // there is always sound
  const prompt = promptOf(request, MAX_PROMPT_LENGTH);
  const duration = family
    ? secondsOf(request, family.seconds, USUAL.seconds, report)
    : (fullSecondsOf(request, report) ?? USUAL.seconds);
  const resolution = resolutionOf(request, family?.resolutions ?? ANY_RESOLUTION, report) ?? USUAL.resolution;
  const ratio = ratioOf(request, report);
  const { watermark } = request;
  return {
    version: 2,
    prompt,
    seconds: String(duration),
    options: {
      duration,
      resolution,
      ...(ratio !== undefined && { ratio }),
      ...(watermark !== undefined && { aigc_watermark: watermark }),
    },
  };
}

/** MiniMax docs: text alone needs a shape, references may have one, beside frames it is ignored. */
function ratioOf(request: VideoRequest, report: MediaLossReport): string | undefined {
  if (request.images.some(({ role }) => role !== 'reference')) {
    if (request.size !== undefined) report({ field: 'size', how: 'replaced' });
    dropFields(request, ['aspectRatio'], report);
    return undefined;
  }
  return shapeOf(request, SHAPES, report) ?? (request.images.length === 0 ? USUAL.ratio : undefined);
}
