import type { VideoFacts } from '@sluice/canonical';

/** No video is longer than a day. */
const MAX_SECONDS = 86_400;

/**
 * The length of a video as the vendor reports it, by which it is billed.
 * @returns undefined for an invalid length; then the requested one counts
 */
export function reportedSeconds(seconds: string | undefined): string | undefined {
  return Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** The measured length of a video without a reported one, in whole seconds as vendors report it. */
export function measuredSeconds({ durationMs }: Pick<VideoFacts, 'durationMs'>): string | undefined {
  return reportedSeconds(String(Math.max(1, Math.round(durationMs / 1_000))));
}
