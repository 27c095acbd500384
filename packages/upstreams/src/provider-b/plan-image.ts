import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { sides } from '../media/frame-shape.ts';
import { countOf, dropFields, limitPictures, promptOf } from '../media/limit-wish.ts';
import { imageFamily, type ImageFamily } from './models.ts';

/** Jimeng docs: "at most 800 characters". */
const MAX_PROMPT = 800;
/** Jimeng docs: width to height between 1:3 and 3:1. */
const WIDEST = 3;
/** Sides are made multiples of that, as are all that the docs recommend. */
const STEP = 16;

/** What the vendor will be asked for. */
export interface ImagePlan extends Review {
  /** The body, but for the model and the pictures. */
  fields: Record<string, unknown>;
  /** The body's defaults, which vendor options may change. */
  defaults: Record<string, unknown>;
  /** Goes along with each poll: JSON as text. */
  resultOptions: string;
}

/** @throws {UnsupportedWishError} */
export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const family = imageFamily(model);
  limitPictures(request.images, { reference: family.references });
  const prompt = promptOf(request, MAX_PROMPT);
  dropFields(request, ['negativePrompt', 'quality', 'background', 'outputFormat'], report);
  if (!family.seeded) dropFields(request, ['seed', 'promptExtend'], report);
  return {
    fields: {
      prompt,
      ...frameOf(request, family, report),
      ...(family.seeded && request.seed !== undefined && { seed: request.seed }),
      ...(family.seeded && request.promptExtend !== undefined && { use_pre_llm: request.promptExtend }),
    },
    defaults: isOne(request, family, report) && family.countsByPrompt ? { force_single: true } : {},
    resultOptions: JSON.stringify({
      return_url: true, // else the images come as base64
      ...(request.watermark !== undefined && { logo_info: { add_logo: request.watermark } }),
    }),
  };
}

/** Jimeng docs, image 4.0: "judges the number of images from the prompt", which no field but `force_single` bounds. */
function isOne(request: ImageRequest, { countsByPrompt }: ImageFamily, report: MediaLossReport): boolean {
  if (!countsByPrompt) return countOf(request, 1, report) === 1;
  if (request.n === undefined || request.n === 1) return true;
  dropFields(request, ['n'], report);
  return false;
}

function frameOf({ size, aspectRatio }: ImageRequest, { area }: ImageFamily, report: MediaLossReport): Partial<Frame> {
  if (size !== undefined) {
    const wished = sides(size);
    const ratio = wished.width / wished.height;
    const pixels = wished.width * wished.height;
    if (pixels >= area.least && pixels <= area.most && isAllowed(ratio)) return wished;
    report({ field: 'size', how: 'clamped' });
    return frame(ratio, Math.min(Math.max(pixels, area.least), area.most), area);
  }
  if (aspectRatio === undefined) return {};
  const [width = 1, height = 1] = aspectRatio.split(':').map(Number);
  if (!isAllowed(width / height)) report({ field: 'aspectRatio', how: 'clamped' });
  return frame(width / height, area.usual, area);
}

interface Frame {
  width: number;
  height: number;
}

function isAllowed(ratio: number): boolean {
  return ratio <= WIDEST && ratio >= 1 / WIDEST;
}

/** A frame of this shape, as near as the vendor allows, and of about that many pixels. */
function frame(ratio: number, pixels: number, area: ImageFamily['area']): Frame {
  const shape = Math.min(Math.max(ratio, 1 / ratio), WIDEST);
  let long = STEP * Math.round(Math.sqrt(pixels * shape) / STEP);
  let short = STEP * Math.round(Math.sqrt(pixels / shape) / STEP);
  // What rounding has taken or added too much.
  while (long * short < area.least) short += STEP;
  while (long * short > area.most || long > short * WIDEST) long -= STEP;
  return ratio < 1 ? { width: short, height: long } : { width: long, height: short };
}
