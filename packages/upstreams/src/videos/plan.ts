import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { dropFields, limitImages, promptOf } from '../media/limit-params.ts';
import { linesOf } from '../media/frame-shape.ts';

/** What this wire has no field for. */
const UNSAID = ['fps', 'audio', 'watermark', 'promptExtend'] as const;
/** What a variation takes over from the film that it is one of. */
const TAKEN_OVER = ['negativePrompt', 'seed', 'seconds', 'size', 'aspectRatio', 'resolution', 'metadata'] as const;
/** Lines of a frame whose client named a shape alone. */
const USUAL_LINES = 720;

/** What goes into the form: durations and sizes are left to the upstream, since every reseller takes others. */
export interface VideosPlan {
  seconds?: string;
  /** `WIDTHxHEIGHT` */
  size?: string;
}

/**
 * Works out what the wire says of a wish: one picture at most, a size where the client named a shape.
 * @throws {UnsupportedParamsError}
 */
export function planVideo(request: VideoRequest, report: MediaLossReport): VideosPlan {
  dropFields(request, UNSAID, report);
  if (request.remix !== undefined) {
    // OpenAI, `POST /videos/{id}/remix`: a prompt and nothing else.
    promptOf(request, Infinity);
    limitImages(request.images, {});
    dropFields(request, TAKEN_OVER, report);
    return {};
  }
  limitImages(request.images, { first_frame: 1, reference: 1 });
  if (request.images.length > 1) {
    throw new UnsupportedParamsError('reference', 'is not taken beside another picture by this model');
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

/** Encoders take even sides alone. */
function even(pixels: number): number {
  return 2 * Math.round(pixels / 2);
}
