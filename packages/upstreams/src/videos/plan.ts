import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { dropFields, limitImages, promptOf } from '../media/plan/limit-params.ts';
import { linesOf } from '../media/plan/frame-shape.ts';

/** Fields that this protocol lacks. */
const UNSAID = ['fps', 'audio', 'watermark', 'promptExtend'] as const;
/** Fields that a variation inherits from its original. */
const TAKEN_OVER = ['negativePrompt', 'seed', 'seconds', 'size', 'aspectRatio', 'resolution', 'metadata'] as const;
/** Lines of a frame if the client sent only a shape. */
const USUAL_LINES = 720;

/** The form fields. Durations and sizes are left to the upstream, because resellers differ. */
export interface VideosPlan {
  seconds?: string;
  /** `WIDTHxHEIGHT` */
  size?: string;
}

/**
 * The protocol takes at most one image, and a size in place of a shape.
 * @throws {UnsupportedParamsError}
 */
export function planVideo(request: VideoRequest, report: MediaLossReport): VideosPlan {
  dropFields(request, UNSAID, report);
  if (request.remix !== undefined) {
    // OpenAI, `POST /videos/{id}/remix`: only a prompt.
    promptOf(request, Infinity);
    limitImages(request.images, {});
    dropFields(request, TAKEN_OVER, report);
    return {};
  }
  limitImages(request.images, { first_frame: 1, reference: 1 });
  if (request.images.length > 1) {
    throw new UnsupportedParamsError('reference', 'cannot be combined with another image for this model');
  }
  const size = sizeOf(request, report);
  return {
    ...(request.seconds !== undefined && { seconds: request.seconds }),
    ...(size !== undefined && { size }),
  };
}

function sizeOf({ size, aspectRatio, resolution }: VideoRequest, report: MediaLossReport): string | undefined {
  if (size !== undefined || (aspectRatio === undefined && resolution === undefined)) return size;
  const lines = resolution === undefined ? USUAL_LINES : linesOf(resolution);
  if (lines === undefined) report({ field: 'resolution', how: 'dropped' });
  else if (resolution !== undefined) report({ field: 'resolution', how: 'replaced' });
  if (aspectRatio !== undefined) report({ field: 'aspectRatio', how: 'replaced' });
  else if (lines === undefined) return undefined;
  const [width = 16, height = 9] = (aspectRatio ?? '16:9').split(':').map(Number);
  const short = lines ?? USUAL_LINES;
  const long = even((short * Math.max(width, height)) / Math.min(width, height));
  return width >= height ? `${long}x${short}` : `${short}x${long}`;
}

/** Encoders require even sides. */
function even(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}
