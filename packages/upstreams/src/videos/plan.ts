import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { dropFields, limitImages, promptOf } from '../media/plan/limit-params.ts';
import { linesOf } from '../media/plan/aspect-ratio.ts';

const MISSING_FIELDS = ['fps', 'audio', 'watermark', 'promptExtend'] as const;
const INHERITED_FIELDS = [
  'negativePrompt',
  'seed',
  'seconds',
  'size',
  'aspectRatio',
  'resolution',
  'metadata',
] as const;
const DEFAULT_LINES = 720;

/** The form fields. The upstream itself validates durations and sizes, because resellers support different values. */
export interface VideosPlan {
  seconds?: string;
  /** Size of the video, as `WIDTHxHEIGHT`. */
  size?: string;
}

/** The protocol accepts at most one image, and a size instead of an aspect ratio. @throws {UnsupportedParamsError} */
export function planVideo(request: VideoRequest, report: MediaLossReport): VideosPlan {
  dropFields(request, MISSING_FIELDS, report);
  if (request.remix !== undefined) {
    // OpenAI's `POST /videos/{id}/remix` accepts only a prompt.
    promptOf(request, Infinity);
    limitImages(request.images, {});
    dropFields(request, INHERITED_FIELDS, report);
    return {};
  }
  limitImages(request.images, { first_frame: 1, reference: 1 });
  if (request.images.length > 1) {
    throw new UnsupportedParamsError('reference', 'cannot be combined with another image for this model');
  }
  return { seconds: request.seconds, size: sizeOf(request, report) };
}

function sizeOf({ size, aspectRatio, resolution }: VideoRequest, report: MediaLossReport): string | undefined {
  if (size !== undefined || (aspectRatio === undefined && resolution === undefined)) return size;
  const lines = resolution === undefined ? DEFAULT_LINES : linesOf(resolution);
  if (lines === undefined) report({ field: 'resolution', how: 'dropped' });
  else if (resolution !== undefined) report({ field: 'resolution', how: 'replaced' });
  if (aspectRatio !== undefined) report({ field: 'aspectRatio', how: 'replaced' });
  else if (lines === undefined) return undefined;
  const [width = 16, height = 9] = (aspectRatio ?? '16:9').split(':').map(Number);
  const short = lines ?? DEFAULT_LINES;
  const long = even((short * Math.max(width, height)) / Math.min(width, height));
  return width >= height ? `${long}x${short}` : `${short}x${long}`;
}

function even(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}
