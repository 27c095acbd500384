import type { VideoFacts } from '@sluice/canonical';

const MAX_SECONDS = 86_400;

/** The duration that the vendor reports and bills. Undefined if invalid; the requested duration then applies. */
export function reportedSeconds(seconds: string | undefined): string | undefined {
  return Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** The measured duration in whole seconds, as vendors report it. */
export function measuredSeconds({ durationMs }: Pick<VideoFacts, 'durationMs'>): string | undefined {
  return reportedSeconds(String(Math.max(1, Math.round(durationMs / 1_000))));
}
