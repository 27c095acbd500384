import type { ImageRequest, MediaLossReport, Review } from '@sluice/canonical';
import { ANY_RUNWAY_IMAGE, runwayImage } from '@sluice/vendors';
import { frameAmong } from '../media/plan/nearest-frame.ts';
import { defined, planImage } from '../media/plan/plan.ts';

export interface RunwayImagePlan extends Review {
  options: {
    promptText?: string;
    ratio?: string;
    outputCount?: number;
    seed?: number;
    quality?: string;
    background?: string;
    outputFormat?: string;
  };
}

export function planRunwayImage(name: string, request: ImageRequest, report: MediaLossReport): RunwayImagePlan {
  const known = runwayImage(name);
  const { prompt: promptText, fields } = planImage(known ?? ANY_RUNWAY_IMAGE, request, report);
  const ratio = known
    ? (frameAmong(request, known.ratios, report) ?? known.ratios[0])
    : (request.size?.replace('x', ':') ?? request.aspectRatio);
  const count = countAmong(known?.counts, request, report);
  return { options: defined({ promptText, ratio, outputCount: count === 1 ? undefined : count, ...fields }) };
}

function countAmong(counts: readonly number[] | undefined, { n }: ImageRequest, report: MediaLossReport) {
  if (n === undefined || !counts || counts.includes(n)) return n;
  report({ field: 'n', how: 'clamped' });
  return Math.max(...counts.filter((count) => count < n));
}
