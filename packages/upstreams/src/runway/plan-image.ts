import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { dropFields, limitImages, promptOf, requireImages } from '../media/limit-params.ts';
import { frameAmong } from '../media/nearest-frame.ts';
import { type ImageModel, imageModelOf } from './image-models.ts';

/** What Runway is asked for, by its names. */
export interface RunwayImagePlan extends Review {
  options: {
    promptText: string;
    ratio?: string;
    outputCount?: number;
    seed?: number;
    quality?: string;
    background?: string;
    outputFormat?: string;
  };
}

const FIELDS = ['seed', 'quality', 'background', 'outputFormat'] as const;

/** Works out what Runway is asked for; a model of unknown name is asked for what the client wished. @throws {UnsupportedParamsError} */
export function planRunwayImage(model: string, request: ImageRequest, report: MediaLossReport): RunwayImagePlan {
  const known = imageModelOf(model);
  limitImages(request.images, { reference: known?.references ?? Infinity });
  if (known?.needsReference) requireImages(request.images, ['reference']);
  const promptText = promptOf(request, known?.maxPromptLength ?? Infinity);
  dropFields(request, ['negativePrompt', 'watermark', 'promptExtend'], report);
  const taken = FIELDS.filter((field) => known?.has?.includes(field) ?? !known);
  dropFields(
    request,
    FIELDS.filter((field) => !taken.includes(field)),
    report,
  );
  const ratio = ratioOf(known, request, report);
  const outputCount = countAmong(known?.counts, request, report);
  return {
    options: {
      promptText,
      ...(ratio !== undefined && { ratio }),
      ...(outputCount !== undefined && outputCount !== 1 && { outputCount }),
      ...Object.fromEntries(taken.flatMap((field) => (request[field] === undefined ? [] : [[field, request[field]]]))),
    },
  };
}

/** `ratio` is no field to be left out. */
function ratioOf(known: ImageModel | undefined, request: ImageRequest, report: MediaLossReport): string | undefined {
  if (known) return frameAmong(request, known.ratios, report) ?? known.ratios[0];
  return request.size?.replace('x', ':') ?? request.aspectRatio;
}

/** The greatest number that is made and is not more than was wished. */
function countAmong(
  counts: readonly number[] | undefined,
  { n }: ImageRequest,
  report: MediaLossReport,
): number | undefined {
  if (n === undefined || !counts || counts.includes(n)) return n;
  report({ field: 'n', how: 'clamped' });
  return Math.max(...counts.filter((count) => count < n));
}
