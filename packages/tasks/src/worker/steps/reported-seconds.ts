import type { VideoFacts } from '@sluice/canonical';

const MAX_SECONDS = 86_400;

/**
 * Returns the duration that the vendor reports and bills. Returns undefined if the value is invalid, so that the
 * requested duration applies.
 */
export function reportedSeconds(seconds: string | undefined): string | undefined {
  return Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** Returns the measured duration, rounded to full seconds as vendors report it. */
export function measuredSeconds({ durationMs }: Pick<VideoFacts, 'durationMs'>): string | undefined {
  return reportedSeconds(String(Math.max(1, Math.round(durationMs / 1_000))));
}
