import type { VideoFacts } from '@sluice/canonical';

/** No film is longer than a day, whatever its vendor tells. */
const MAX_SECONDS = 86_400;

/**
 * The length of a film as its vendor tells it, by which it is billed.
 * @returns undefined for what cannot be one: then what was asked for counts
 */
export function reportedSeconds(seconds: string | undefined): string | undefined {
  return Number(seconds) > 0 && Number(seconds) <= MAX_SECONDS ? seconds : undefined;
}

/** The length of a film whose vendor told none, as vendors tell it: in whole seconds, which few films have to the frame. */
export function measuredSeconds({ durationMs }: Pick<VideoFacts, 'durationMs'>): string | undefined {
  return reportedSeconds(String(Math.max(1, Math.round(durationMs / 1_000))));
}
