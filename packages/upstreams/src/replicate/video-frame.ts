import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import type { ReplicateVideo } from '@sluice/vendors';
import { resolutionOf, aspectRatioOf } from '../media/plan/aspect-ratio.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { frameAmong } from '../media/plan/nearest-frame.ts';
import { commonNames, format } from './inputs.ts';

const ASPECT_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];

/** Returns the inputs that set the frame. Without size support, a size becomes an aspect ratio and a resolution. */
export function frameInputs(
  request: VideoRequest,
  model: ReplicateVideo,
  report: MediaLossReport,
): Record<string, string> {
  const {
    sizes,
    aspectRatios,
    imageSetsAspectRatio,
    resolutions,
    resolutionField = 'resolution',
    defaultResolution,
  } = model;
  if (sizes) {
    const size = frameAmong(request, sizes, report);
    return size === undefined ? {} : { size: size.replace('x', '*') };
  }
  const framed = imageSetsAspectRatio === true && request.images.some(({ role }) => role !== 'reference');
  const hasAspectRatio = aspectRatios !== undefined && !framed;
  if (request.size !== undefined)
    report({ field: 'size', how: hasAspectRatio || resolutions ? 'replaced' : 'dropped' });
  if (!hasAspectRatio) dropFields(request, ['aspectRatio'], report);
  if (!resolutions) dropFields(request, ['resolution'], report);
  // The loss of the size is already reported, so it is not reported again.
  const rest: MediaLossReport = (loss) => loss.field === 'size' || report(loss);
  const ratio = hasAspectRatio ? aspectRatioFor(request, aspectRatios, rest) : undefined;
  const resolution = resolutions && (resolutionFor(request, resolutions, rest) ?? defaultResolution);
  return {
    ...(ratio !== undefined && { aspect_ratio: encoded(aspectRatios, ratio) }),
    ...(resolution !== undefined && { [resolutionField]: encoded(resolutions, resolution) }),
  };
}

type Choice = ReplicateVideo['aspectRatios'];

function encoded(values: Choice, value: string): string {
  return values === undefined || values === 'any' ? value : format(values, value);
}

function aspectRatioFor(
  request: VideoRequest,
  aspectRatios: NonNullable<Choice>,
  report: MediaLossReport,
): string | undefined {
  if (aspectRatios !== 'any') return aspectRatioOf(request, commonNames(aspectRatios), report);
  return request.aspectRatio ?? aspectRatioOf(request, ASPECT_RATIOS, report);
}

function resolutionFor(
  request: VideoRequest,
  values: NonNullable<Choice>,
  report: MediaLossReport,
): string | undefined {
  if (values !== 'any') return resolutionOf(request, commonNames(values), report);
  return request.resolution ?? resolutionOf(request, RESOLUTIONS, report);
}
