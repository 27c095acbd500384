import { findModel, VIDU_VIDEOS } from '@sluice/vendors';
import { resolutionsOf, secondsOf } from '../media/catalog-model.ts';

export const VIDU_CALLS = ['text2video', 'img2video', 'start-end2video', 'reference2video'] as const;

export type ViduCall = (typeof VIDU_CALLS)[number];

export interface ViduModel {
  /** Resolutions by duration. The default duration and the default resolution are first. */
  resolutionsBySeconds: ReadonlyMap<number, readonly string[]>;
  aspectRatios: readonly string[];
  audio: boolean;
  references: number;
}

const FRAMES = ['img2video', 'start-end2video'] as const;

/** Source: Vidu docs, "Text to Video", "Image to Video", "Start End to Video", and "Reference to Video". */
const CALLS: Readonly<Record<string, readonly ViduCall[]>> = {
  'viduq3-pro': VIDU_CALLS,
  'viduq3-turbo': VIDU_CALLS,
  'viduq3-pro-fast': VIDU_CALLS,
  viduq2: ['text2video', 'reference2video'],
  'viduq2-pro': [...FRAMES, 'reference2video'],
  'viduq2-pro-fast': [...FRAMES, 'reference2video'],
  'viduq2-turbo': FRAMES,
  viduq1: VIDU_CALLS,
  'viduq1-classic': FRAMES,
  'vidu2.0': [...FRAMES, 'reference2video'],
  'vidu1.5': VIDU_CALLS,
};

/** Models that support 540p default to 720p. Other models default to their lowest resolution. */
function defaultFirst(resolutions: readonly string[]): readonly string[] {
  return resolutions.includes('540p') ? ['720p', ...resolutions.filter((name) => name !== '720p')] : resolutions;
}

export function viduModelOf(name: string, call: ViduCall): ViduModel | undefined {
  const calls = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  const model = calls?.includes(call) === true ? findModel(VIDU_VIDEOS, name) : undefined;
  if (model === undefined) return undefined;
  const seconds = [model.defaultSeconds ?? 5, ...secondsOf(model)];
  return {
    resolutionsBySeconds: new Map(seconds.map((duration) => [duration, defaultFirst(resolutionsOf(model, duration))])),
    aspectRatios: model.aspectRatios ?? [],
    audio: model.optionalFields.includes('audio'),
    references: model.images.reference ?? 0,
  };
}
