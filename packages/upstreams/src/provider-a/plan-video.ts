import { type MediaLossReport, type Review, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { klingName, type KlingVideo, klingVideo, MAX_OMNI_IMAGES } from '@sluice/vendors';
import { linesOf, aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { defined, hasFrame, hasImage, planVideo as planFields } from '../media/plan/plan.ts';

/** The minimum number of lines for `pro`, halfway between 720 (`std`) and 1080 (`pro`). */
const PRO_LINES = 900;

/** A job can be polled only under the path that accepted it. */
export type VideoPath =
  | '/v1/videos/text2video'
  | '/v1/videos/image2video'
  | '/v1/videos/multi-image2video'
  | '/v1/videos/omni-video';

export interface VideoPlan extends Review {
  path: VideoPath;
  fields: Record<string, unknown>;
}

export function planVideo(name: string, request: VideoRequest, report: MediaLossReport): VideoPlan {
  const model = klingVideo(klingName(name));
  const path = pathOf(request, model);
  // Image-to-video needs no prompt. A multi-shot request contains one prompt per shot.
  const isPromptless = path === '/v1/videos/image2video' || request.metadata?.['multi_prompt'] !== undefined;
  const planned = isPromptless ? { ...model, optionalPrompt: 'always' as const } : model;
  const { prompt, seconds, fields } = planFields(planned, request, report);
  return {
    path,
    seconds,
    fields: defined({
      prompt,
      negative_prompt: fields.negativePrompt,
      // Sent as text, because Kling rejects a number.
      duration: request.seconds === undefined ? undefined : seconds,
      ...frameFields(request, path, model, report),
      sound: fields.audio === undefined ? undefined : fields.audio ? 'on' : 'off',
      watermark_info: fields.watermark === undefined ? undefined : { enabled: fields.watermark },
    }),
  };
}

function pathOf(request: VideoRequest, { omni }: KlingVideo): VideoPath {
  const { images } = request;
  if (omni) {
    if (images.length > MAX_OMNI_IMAGES) {
      throw new UnsupportedParamsError('reference', `must appear at most ${MAX_OMNI_IMAGES} times for this model`);
    }
    return '/v1/videos/omni-video';
  }
  if (!hasImage(request, 'reference')) return images.length > 0 ? '/v1/videos/image2video' : '/v1/videos/text2video';
  if (images.some(({ role }) => role !== 'reference')) {
    throw new UnsupportedParamsError('reference', 'cannot be combined with another kind of image for this model');
  }
  return '/v1/videos/multi-image2video';
}

/** Plans aspect ratio and mode. Kling does not support sizes. A first or last frame determines the aspect ratio. */
function frameFields(request: VideoRequest, path: VideoPath, model: KlingVideo, report: MediaLossReport) {
  const mode = modeOf(request, model, report);
  if (hasFrame(request)) {
    dropFields(request, ['aspectRatio'], report);
    if (request.size !== undefined) report({ field: 'size', how: mode === undefined ? 'dropped' : 'replaced' });
    return { mode };
  }
  // Kling docs, omni-video: the aspect ratio is required unless a first frame or a video determines it.
  const needsAspectRatio = path === '/v1/videos/omni-video' && request.metadata?.['video_list'] === undefined;
  const aspect_ratio =
    aspectRatioOf(request, model.aspectRatios ?? [], report) ?? (needsAspectRatio ? '16:9' : undefined);
  return { mode, aspect_ratio };
}

function modeOf(request: VideoRequest, model: KlingVideo, report: MediaLossReport): 'std' | 'pro' | undefined {
  const { resolution, size, metadata } = request;
  const lines = resolution === undefined ? size && Math.min(...Object.values(sides(size))) : linesOf(resolution);
  const isSet = metadata?.['mode'] !== undefined || model.modes !== true;
  const byLines = isSet || typeof lines !== 'number' ? undefined : lines > PRO_LINES ? 'pro' : 'std';
  const mode = !isSet && needsPro(request, model) ? 'pro' : byLines;
  if (resolution !== undefined) {
    const exact = (mode === 'std' && lines === 720) || (mode === 'pro' && lines === 1080);
    report({ field: 'resolution', how: byLines === undefined ? 'dropped' : exact ? 'replaced' : 'clamped' });
  }
  return mode;
}

/** Kling docs, "Capability map": most models support last frames and sound only in `pro` mode. */
function needsPro(request: VideoRequest, { proOnly = [] }: KlingVideo): boolean {
  if (hasImage(request, 'last_frame') && proOnly.includes('last_frame')) return true;
  return request.audio === true && proOnly.includes('audio');
}
