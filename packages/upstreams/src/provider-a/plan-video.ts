import { type MediaLossReport, type Review, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { linesOf, shapeOf, sides } from '../media/frame-shape.ts';
import { dropFields, limitImages, limitText, promptOf, refuseRemix, secondsOf } from '../media/limit-params.ts';
import { PICTURES, vendorName, type VideoFamily, videoFamily } from './models.ts';

/** Kling docs: of `prompt` and `negative_prompt` alike. */
const MAX_TEXT = 2500;
const SHAPES = ['16:9', '9:16', '1:1'] as const;
/** Kling docs, omni-video: pictures of all kinds together. */
const OMNI_IMAGES = 7;
/** Lines that `pro` is for rather than `std`: halfway between their 720 and 1080. */
const PRO_LINES = 900;

/** The vendor's paths; a job is found under the one alone that accepted it. */
export type VideoPath =
  | '/v1/videos/text2video'
  | '/v1/videos/image2video'
  | '/v1/videos/multi-image2video'
  | '/v1/videos/omni-video';

/** What the vendor will be asked for. */
export interface VideoPlan extends Review {
  path: VideoPath;
  /** The body, but for the model, the pictures and what belongs to the attempt. */
  fields: Record<string, unknown>;
}

/** @throws {UnsupportedParamsError} */
export function planVideo(model: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  refuseRemix(request);
  const family = videoFamily(vendorName(model));
  const path = pathOf(request, family);
  dropFields(request, ['seed', 'fps', 'promptExtend'], report);
  if (family.omni) dropFields(request, ['negativePrompt'], report);
  else limitText('negativePrompt', request.negativePrompt, MAX_TEXT);
  const seconds = durationOf(request, family, report);
  const sound = soundOf(request, family, report);
  return {
    path,
    ...(seconds !== undefined && { seconds }),
    fields: {
      ...promptFields(request, path),
      ...(request.negativePrompt !== undefined && !family.omni && { negative_prompt: request.negativePrompt }),
      // As text: a number is refused.
      ...(request.seconds !== undefined && { duration: seconds }),
      ...frameFields(request, path, family, report),
      ...(sound !== undefined && { sound }),
      ...(request.watermark !== undefined && { watermark_info: { enabled: request.watermark } }),
    },
  };
}

function pathOf({ images }: VideoRequest, { omni }: VideoFamily): VideoPath {
  if (omni) {
    limitImages(images, { first_frame: 1, last_frame: 1, reference: OMNI_IMAGES }, PICTURES);
    if (images.length > OMNI_IMAGES) {
      throw new UnsupportedParamsError('reference', `may be one of at most ${OMNI_IMAGES} pictures for this model`);
    }
    return '/v1/videos/omni-video';
  }
  if (!images.some(({ role }) => role === 'reference')) {
    limitImages(images, { first_frame: 1, last_frame: 1 }, PICTURES);
    return images.length > 0 ? '/v1/videos/image2video' : '/v1/videos/text2video';
  }
  if (images.some(({ role }) => role !== 'reference')) {
    throw new UnsupportedParamsError('reference', 'is not taken beside another kind of picture by this model');
  }
  limitImages(images, { reference: 4 }, PICTURES);
  return '/v1/videos/multi-image2video';
}

function promptFields(request: VideoRequest, path: VideoPath): { prompt?: string } {
  const { prompt, metadata } = request;
  // Only a picture moves by itself; and shots of their own bring prompts of their own.
  if (path !== '/v1/videos/image2video' && metadata?.['multi_prompt'] === undefined) {
    return { prompt: promptOf(request, MAX_TEXT) };
  }
  limitText('prompt', prompt, MAX_TEXT);
  return prompt === undefined ? {} : { prompt };
}

function durationOf(request: VideoRequest, family: VideoFamily, report: MediaLossReport): string | undefined {
  if (!family.seconds) return request.seconds;
  const { choices, usual } = family.seconds;
  // An omni model that edits a video makes one as long as that.
  if (request.seconds === undefined && family.omni) return undefined;
  return String(secondsOf(request, choices, usual, report));
}

function soundOf(request: VideoRequest, family: VideoFamily, report: MediaLossReport): 'on' | 'off' | undefined {
  if (family.sound === false) dropFields(request, ['audio'], report);
  if (request.audio === undefined || family.sound === false) return undefined;
  return request.audio ? 'on' : 'off';
}

interface FrameFields {
  aspect_ratio?: string;
  mode?: 'std' | 'pro';
}

/** Shape and mode: the vendor has no sizes, and a video that begins or ends with a picture has the picture's shape. */
function frameFields(
  request: VideoRequest,
  path: VideoPath,
  family: VideoFamily,
  report: MediaLossReport,
): FrameFields {
  const mode = modeOf(request, family, report);
  const fields: FrameFields = mode === undefined ? {} : { mode };
  const followsImage = request.images.some(({ role }) => role === 'first_frame' || role === 'last_frame');
  if (followsImage) {
    dropFields(request, ['aspectRatio'], report);
    if (request.size !== undefined) report({ field: 'size', how: mode === undefined ? 'dropped' : 'replaced' });
    return fields;
  }
  const shape = shapeOf(request, SHAPES, report);
  if (shape !== undefined) return { ...fields, aspect_ratio: shape };
  // Kling docs, omni-video: the shape is required where neither a first frame nor a video has one.
  const needsShape = path === '/v1/videos/omni-video' && request.metadata?.['video_list'] === undefined;
  return needsShape ? { ...fields, aspect_ratio: '16:9' } : fields;
}

function modeOf(request: VideoRequest, family: VideoFamily, report: MediaLossReport): 'std' | 'pro' | undefined {
  const { resolution, size, metadata } = request;
  const lines = resolution === undefined ? size && Math.min(...Object.values(sides(size))) : linesOf(resolution);
  const isSaid = metadata?.['mode'] !== undefined || family.modes !== true;
  const wanted = isSaid || typeof lines !== 'number' ? undefined : lines > PRO_LINES ? 'pro' : 'std';
  const needed = isSaid ? undefined : proFor(request, family);
  const mode = needed ?? wanted;
  if (resolution !== undefined) {
    const exact = (mode === 'std' && lines === 720) || (mode === 'pro' && lines === 1080);
    report({ field: 'resolution', how: wanted === undefined ? 'dropped' : exact ? 'replaced' : 'clamped' });
  }
  return mode;
}

/** Kling docs, "Capability map": last frames and sound are made in mode `pro` alone by most models that make them. */
function proFor({ images, audio }: VideoRequest, { proOnly = [] }: VideoFamily): 'pro' | undefined {
  const hasLast = images.some(({ role }) => role === 'last_frame');
  if (hasLast && proOnly.includes('last_frame')) return 'pro';
  return audio === true && proOnly.includes('sound') ? 'pro' : undefined;
}
