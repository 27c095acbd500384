import type { ImageRequest, MediaLossReport } from '@sluice/canonical';
import { type ImageModel, inputCounts, type ReplicateImage, replicateImage } from '@sluice/vendors';
import { frameOf } from '../media/plan/fit-frame.ts';
import { aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { planImage } from '../media/plan/plan.ts';
import { renamed, type ReplicatePlan, withOptions } from './inputs.ts';
import { modelCallOf } from './model-call.ts';

const ASPECT_RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3', '21:9'];

export function planReplicateImage(name: string, request: ImageRequest, report: MediaLossReport): ReplicatePlan {
  const call = modelCallOf(name);
  const able = replicateImage(call.name, request.images.filter(({ role }) => role === 'reference').length);
  const { images, count, names, usesCommonNames, needsReference, formats } = able;
  const { prompt, n, fields } = planImage(
    {
      images: inputCounts(images),
      needs: needsReference ? ['reference'] : [],
      optionalPrompt: usesCommonNames ? 'image' : undefined,
      max: count?.max ?? 1,
      optionalFields: [...Object.keys(names), 'outputFormat'] as ImageModel['optionalFields'],
    },
    request,
    report,
  );
  const { outputFormat, ...plain } = fields;
  const output_format = outputFormat === undefined ? undefined : formats[outputFormat];
  if (outputFormat !== undefined && output_format === undefined) report({ field: 'outputFormat', how: 'dropped' });
  const inputs = {
    ...(count && n !== undefined && { [count.field]: n }),
    ...frameInputs(request, able, report),
    ...(output_format !== undefined && { output_format }),
    ...renamed(plain, names),
  };
  const decided = usesCommonNames
    ? []
    : [...(count ? [count.field] : []), ...Object.values(images).map(({ field }) => field)];
  return { call, input: withOptions(request.metadata, { prompt, inputs, decided }), images };
}

function frameInputs(request: ImageRequest, model: ReplicateImage, report: MediaLossReport): Record<string, unknown> {
  const { custom, aspectRatios, sendsBoth } = model;
  const { size, aspectRatio } = request;
  if (custom && size !== undefined) {
    return { [custom.field]: 'custom', ...frameOf({ size }, custom.limits, custom.limits.area.max, report) };
  }
  const ratio = aspectRatios
    ? aspectRatioOf(request, aspectRatios, report)
    : (aspectRatio ?? aspectRatioOf(request, ASPECT_RATIOS, report));
  return {
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(sendsBoth && size !== undefined && sides(size)),
  };
}
