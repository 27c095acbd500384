import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import type { ReplicateVideo } from '@sluice/vendors';
import { resolutionOf, shapeOf } from '../media/plan/frame-shape.ts';
import { dropFields } from '../media/plan/limit-params.ts';
import { frameAmong } from '../media/plan/nearest-frame.ts';
import { commonNames, format } from './inputs.ts';

const SHAPES = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];
const RESOLUTIONS = ['480p', '720p', '1080p', '4k'];

/** Returns the frame inputs. A size becomes a shape and a resolution, unless the model supports sizes. */
export function frameInputs(
  request: VideoRequest,
  model: ReplicateVideo,
  report: MediaLossReport,
): Record<string, string> {
  const { sizes, shapes, shapedByImage, resolutions, resolutionField = 'resolution', usualResolution } = model;
  if (sizes) {
    const size = frameAmong(request, sizes, report);
    return size === undefined ? {} : { size: size.replace('x', '*') };
  }
  const framed = shapedByImage === true && request.images.some(({ role }) => role !== 'reference');
  const hasShape = shapes !== undefined && !framed;
  if (request.size !== undefined) report({ field: 'size', how: hasShape || resolutions ? 'replaced' : 'dropped' });
  if (!hasShape) dropFields(request, ['aspectRatio'], report);
  if (!resolutions) dropFields(request, ['resolution'], report);
  // The loss of the size is already reported.
  const rest: MediaLossReport = (loss) => loss.field === 'size' || report(loss);
  const shape = hasShape ? shapeFor(request, shapes, rest) : undefined;
  const resolution = resolutions && (resolutionFor(request, resolutions, rest) ?? usualResolution);
  return {
    ...(shape !== undefined && { aspect_ratio: encoded(shapes, shape) }),
    ...(resolution !== undefined && { [resolutionField]: encoded(resolutions, resolution) }),
  };
}

type Choice = ReplicateVideo['shapes'];

function encoded(values: Choice, value: string): string {
  return values === undefined || values === 'any' ? value : format(values, value);
}

function shapeFor(request: VideoRequest, shapes: NonNullable<Choice>, report: MediaLossReport): string | undefined {
  if (shapes !== 'any') return shapeOf(request, commonNames(shapes), report);
  return request.aspectRatio ?? shapeOf(request, SHAPES, report);
}

function resolutionFor(
  request: VideoRequest,
  values: NonNullable<Choice>,
  report: MediaLossReport,
): string | undefined {
  if (values !== 'any') return resolutionOf(request, commonNames(values), report);
  return request.resolution ?? resolutionOf(request, RESOLUTIONS, report);
}
