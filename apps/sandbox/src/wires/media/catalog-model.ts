import type { VideoModel } from '@sluice/vendors';

export function secondsOf({ seconds }: VideoModel): readonly number[] {
  return typeof seconds === 'object' ? seconds : [];
}

/** Returns the resolutions that the catalog lists, for one duration or for all. */
export function resolutionsOf({ resolutions = [] }: VideoModel, seconds?: number): string[] {
  return Object.entries<string | readonly number[]>(resolutions).flatMap(([name, value]) => {
    if (typeof value === 'string') return [value];
    return seconds === undefined || value.includes(seconds) ? [name] : [];
  });
}
