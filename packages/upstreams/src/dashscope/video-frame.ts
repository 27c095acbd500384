import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import type { DashscopeTier as Tier, DashscopeVideo } from '@sluice/vendors';
import { resolutionOf, aspectRatioOf, sides } from '../media/plan/aspect-ratio.ts';
import { nearestFrame } from '../media/plan/nearest-frame.ts';

type AspectRatio = '16:9' | '9:16' | '1:1' | '4:3' | '3:4';
const ASPECT_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4'] as const satisfies readonly AspectRatio[];
const DEFAULT_TIER: Tier = '720P';

/** Supported sizes. Source: Alibaba docs, "Text-to-video API reference", `size`. For 480P, the docs list only three. */
const SIZES: Record<Tier, Partial<Record<AspectRatio, string>>> = {
  '480P': { '16:9': '832x480', '9:16': '480x832', '1:1': '624x624' },
  '720P': { '16:9': '1280x720', '9:16': '720x1280', '1:1': '960x960', '4:3': '1088x832', '3:4': '832x1088' },
  '1080P': { '16:9': '1920x1080', '9:16': '1080x1920', '1:1': '1440x1440', '4:3': '1632x1248', '3:4': '1248x1632' },
};

export interface FrameFields {
  /** The separator is an asterisk: `1280*720`. */
  size?: string;
  resolution?: string;
  ratio?: string;
}

export function frameFields(request: VideoRequest, model: DashscopeVideo, report: MediaLossReport): FrameFields {
  switch (model.frame) {
    case 'size': {
      const size = sizeFor(request, model.tiers, report);
      return size === undefined ? {} : { size: size.replace('x', '*') };
    }
    case 'tier': {
      if (request.aspectRatio !== undefined) report({ field: 'aspectRatio', how: 'dropped' });
      return tierFields(request, model.tiers, report);
    }
    case 'tier and ratio': {
      const fields = tierFields(request, model.tiers, report);
      // If the size was lost, this was already reported together with the tier.
      const ratio = aspectRatioOf(request, ASPECT_RATIOS, (loss) => loss.field === 'size' || report(loss));
      return ratio === undefined ? fields : { ...fields, ratio };
    }
  }
}

function tierFields(request: VideoRequest, tiers: readonly Tier[], report: MediaLossReport): FrameFields {
  const { size, resolution } = request;
  if (size !== undefined) report({ field: 'size', how: 'replaced' });
  if (resolution !== undefined) return resolutionField(resolutionOf({ resolution }, tiers, report));
  return size === undefined ? {} : { resolution: entryFor(size, tiers).tier };
}

function resolutionField(resolution: string | undefined): FrameFields {
  return resolution === undefined ? {} : { resolution };
}

function sizeFor(request: VideoRequest, tiers: readonly Tier[], report: MediaLossReport): string | undefined {
  const { size, aspectRatio, resolution } = request;
  if (size !== undefined) {
    const entry = entryFor(size, tiers);
    if (entry.size !== size) report({ field: 'size', how: 'clamped' });
    return entry.size;
  }
  if (aspectRatio === undefined && resolution === undefined) return undefined;
  const requested = resolution === undefined ? undefined : resolutionOf({ resolution }, tiers, report);
  const tier =
    tiers.find((one) => one === requested) ?? tiers.find((one) => one === DEFAULT_TIER) ?? tiers[0] ?? DEFAULT_TIER;
  const aspectRatios = ASPECT_RATIOS.filter((ratio) => SIZES[tier][ratio] !== undefined);
  const ratio = aspectRatio === undefined ? '16:9' : aspectRatioOf({ aspectRatio }, aspectRatios, report);
  return SIZES[tier][aspectRatios.find((one) => one === ratio) ?? '16:9'];
}

function entryFor(size: string, tiers: readonly Tier[]): { tier: Tier; size: string } {
  const nearest = nearestFrame(sides(size), tiers.flatMap(sizesOf)) ?? '1280x720';
  return { tier: tiers.find((tier) => sizesOf(tier).includes(nearest)) ?? DEFAULT_TIER, size: nearest };
}

function sizesOf(tier: Tier): string[] {
  return Object.values(SIZES[tier]);
}
