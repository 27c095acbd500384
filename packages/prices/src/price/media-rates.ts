import type { MediaRate, MediaTraits, Rates } from '@sluice/vendors';
import { safeCount } from './nanos.ts';
import type { ImageUse, VideoUse } from './price.ts';

/** The rate of an image. @returns undefined if no rate matches */
export function imageRate({ images, defaults }: Rates, { size, quality }: ImageUse): MediaRate | undefined {
  const resolution = size === undefined ? undefined : resolutionName(size);
  return bestRate(images, withDefaults({ size, quality, resolution }, defaults));
}

/** The rate of a second of video. @returns undefined if no rate matches */
export function videoRate({ video, defaults }: Rates, { resolution, audio }: VideoUse): MediaRate | undefined {
  return bestRate(video, withDefaults({ resolution, audio }, defaults));
}

/** Vendors bill full seconds, with a minimum of one. */
export function billedSeconds(seconds: number): number {
  return seconds > 0 ? Math.max(1, Math.round(safeCount(seconds))) : 0;
}

/** The seconds of transcribed audio that a vendor bills, to the millisecond. */
export function billedAudio({ minAudioSeconds = 0 }: Rates, seconds: number | undefined): number {
  if (seconds === undefined || !(seconds > 0)) return 0;
  return Math.max(minAudioSeconds, Math.round(safeCount(seconds) * 1_000) / 1_000);
}

/** The seconds of a requested duration. */
export function maxSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(safeCount(seconds)));
}

/** The name of a resolution as `720p`, by the shorter side of a size. Unknown formats are returned in lower case. */
function resolutionName(text: string): string {
  const sides = sidesOf(text);
  if (sides) return `${Math.min(...sides)}p`;
  const name = text.trim().toLowerCase();
  return name === '4k' ? '2160p' : name;
}

const TRAITS = ['size', 'quality', 'resolution', 'audio'] as const;

function withDefaults(use: MediaTraits, defaults: MediaTraits = {}): MediaTraits {
  return Object.fromEntries(TRAITS.map((trait) => [trait, use[trait] ?? defaults[trait]]));
}

/**
 * The first rate that matches the use. If the use does not name a trait, each rate with that trait may apply. In this case,
 * the highest rate is returned, so that a cost is never too low.
 */
function bestRate(rates: readonly MediaRate[] | undefined, use: MediaTraits): MediaRate | undefined {
  let best: MediaRate | undefined;
  for (const rate of rates ?? []) {
    const named = TRAITS.filter((trait) => rate[trait] !== undefined && use[trait] !== undefined);
    if (!named.every((trait) => isSame(trait, rate, use))) continue;
    if (!best || rate.usd > best.usd) best = rate;
    const isCertain = TRAITS.every((trait) => rate[trait] === undefined || use[trait] !== undefined);
    if (isCertain) return best;
  }
  return best;
}

function isSame(trait: (typeof TRAITS)[number], rate: MediaTraits, use: MediaTraits): boolean {
  switch (trait) {
    case 'audio':
      return rate.audio === use.audio;
    case 'quality':
      return rate.quality?.toLowerCase() === use.quality?.toLowerCase();
    case 'resolution':
      return resolutionName(rate.resolution ?? '') === resolutionName(use.resolution ?? '');
    case 'size':
      return isSameSize(rate.size ?? '', use.size ?? '');
  }
}

/** Compares sizes, or the class of a size (e.g. `2K`) if the rate names a class. */
function isSameSize(rate: string, use: string): boolean {
  const sides = sidesOf(use);
  if (!sides || sidesOf(rate)) return plainSize(rate) === plainSize(use);
  return rate.toLowerCase() === sizeClass(sides);
}

/** The class with the most similar area. `1K` is 1024x1024. */
function sizeClass([width, height]: readonly [number, number]): string {
  const side = Math.sqrt(width * height) / 1024;
  if (side > 3) return '4k';
  if (side > 1.5) return '2k';
  return side > 0.75 ? '1k' : '0.5k';
}

function plainSize(size: string): string {
  return sidesOf(size)?.join('x') ?? size.trim().toLowerCase();
}

function sidesOf(size: string): [number, number] | undefined {
  const sides = /^\s*(\d+)\s*[x*:]\s*(\d+)\s*$/i.exec(size);
  return sides ? [Number(sides[1]), Number(sides[2])] : undefined;
}
