import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { klingImage, type KlingImagePath, klingName } from '@sluice/vendors';
import { aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { defined, planImage as planFields } from '../media/plan/plan.ts';

/** If the longer side has more pixels than this, the image is requested as `2k` instead of the default `1k`. */
const LONG_SIDE = 1536;

export interface ImagePlan extends Review {
  path: KlingImagePath;
  fields: Record<string, unknown>;
}

export function planImage(model: string, request: ImageRequest, report: MediaLossReport): ImagePlan {
  const name = klingName(model);
  const able = klingImage(name, request.images.length);
  const { prompt, n = 1, fields } = planFields(able, request, report);
  const isLarge = request.size !== undefined && Math.max(...Object.values(sides(request.size))) > LONG_SIDE;
  const hasSizes = able.path !== '/v1/images/multi-image2image' && !name.startsWith('kling-v1');
  return {
    path: able.path,
    fields: defined({
      prompt,
      n,
      negative_prompt: fields.negativePrompt,
      aspect_ratio: aspectRatioOf(request, able.aspectRatios ?? [], report),
      resolution: isLarge && hasSizes ? '2k' : undefined,
      watermark_info: fields.watermark === undefined ? undefined : { enabled: fields.watermark },
    }),
  };
}
