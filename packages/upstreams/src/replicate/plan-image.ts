import type { ImageRequest, MediaLossReport } from '@sluice/canonical';
import { frameOf } from '../media/fit-frame.ts';
import { shapeOf, sides } from '../media/frame-shape.ts';
import { countOf, dropFields, promptBesideImages, promptOf, requireImages } from '../media/limit-params.ts';
import { type ImageModel, imageModelOf } from './image-models.ts';
import { plainInputs, type ReplicatePlan, withOptions } from './inputs.ts';
import { modelCallOf } from './model-call.ts';
import { checkImageCount } from './image-inputs.ts';

/** What a size is told as where nothing is known of the model's shapes. */
const SHAPES = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'];
const PLAIN = ['seed', 'negativePrompt', 'quality', 'background', 'promptExtend'] as const;

/**
 * Works out what a model is asked for.
 * @throws {UnsupportedParamsError} for what the model cannot do
 * @throws GatewayError for a name that no model can have
 */
export function planReplicateImage(model: string, request: ImageRequest, report: MediaLossReport): ReplicatePlan {
  const call = modelCallOf(model);
  const able = imageModelOf(call.name, request.images.filter(({ role }) => role === 'reference').length);
  const { images, count, names } = able;
  const isGuess = able.isGuess === true;
  checkImageCount(request.images, images);
  if (able.needsReference) requireImages(request.images, ['reference']);
  const prompt = isGuess ? promptBesideImages(request, Infinity) : promptOf(request, Infinity);
  dropFields(request, ['watermark'], report);
  const n = countOf(request, count?.max ?? 1, report);
  const input = withOptions(request.metadata, {
    prompt,
    inputs: {
      ...(count && request.n !== undefined && { [count.field]: n }),
      ...frameInputs(request, able, report),
      ...formatInput(request, able, report),
      ...plainInputs(request, PLAIN, names, report),
    },
    decided: isGuess ? [] : [...(count ? [count.field] : []), ...Object.values(images).map(({ field }) => field)],
  });
  return { call, input, images };
}

function frameInputs(request: ImageRequest, model: ImageModel, report: MediaLossReport): Record<string, unknown> {
  const { custom, shapes, reportsBoth } = model;
  const { size, aspectRatio } = request;
  if (custom && size !== undefined) {
    return { [custom.field]: 'custom', ...frameOf({ size }, custom.limits, custom.limits.area.max, report) };
  }
  const shape = shapes ? shapeOf(request, shapes, report) : (aspectRatio ?? shapeOf(request, SHAPES, report));
  return {
    ...(shape !== undefined && { aspect_ratio: shape }),
    ...(reportsBoth && size !== undefined && sides(size)),
  };
}

function formatInput({ outputFormat }: ImageRequest, { formats }: ImageModel, report: MediaLossReport): object {
  if (outputFormat === undefined) return {};
  const format = formats[outputFormat];
  if (format === undefined) report({ field: 'outputFormat', how: 'dropped' });
  return format === undefined ? {} : { output_format: format };
}
