import type { VideoFacts } from '@sluice/canonical';

const MAX_SECONDS = 86_400;

/** The vendor's length of a video, by which it is billed. Undefined for an invalid length; the requested one counts. */
export function reportedSeconds(seconds: string | undefined): string | undefined {
  return Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** The measured length, in whole seconds as vendors report it. */
export function measuredSeconds({ durationMs }: Pick<VideoFacts, 'durationMs'>): string | undefined {
  return reportedSeconds(String(Math.max(1, Math.round(durationMs / 1_000))));
}
