import type { PollSettings } from '../../store/task-settings.ts';

/** Input of {@link nextPollDelay}, in milliseconds. */
export interface PollSituation {
  /** Since the upstream accepted the task. */
  elapsedMs: number;
  /** The model's typical running time, once known. */
  usualMs?: number;
  /** Delay requested by the vendor; may be any number. */
  retryAfterMs?: number;
  /** Consecutive poll responses that were not understood. */
  unclearPolls: number;
}

/** Share by which a delay varies, so that tasks created together are not polled together. */
const JITTER = 0.15;

/**
 * Delay until the next poll. The vendor's request takes precedence within the bounds: a stray `Retry-After` of a day must
 * not leave a finished, paid job unread. Otherwise the first poll is at half of the typical
 * time, polls are frequent near the end, and become rarer when the task takes longer or responses are unclear.
 * @param random a number from 0 up to 1
 * @returns milliseconds from now
 */
export function nextPollDelay(situation: PollSituation, settings: PollSettings, random: number): number {
  const { elapsedMs, usualMs, retryAfterMs, unclearPolls } = situation;
  if (retryAfterMs !== undefined) return Math.max(settings.minMs, Math.min(retryAfterMs, settings.maxMs));
  return Math.round(plainDelay() * (1 - JITTER + 2 * JITTER * random));

  function plainDelay(): number {
    if (unclearPolls > 0) return Math.min(settings.maxMs, settings.minMs * 1.5 ** unclearPolls);
    if (usualMs === undefined) {
      // Without a typical time, polls are frequent at first, then in proportion to the age.
      return elapsedMs === 0 ? settings.firstMs : Math.min(settings.maxMs, Math.max(settings.minMs, elapsedMs / 10));
    }
    const untilHalf = usualMs / 2 - elapsedMs;
    if (untilHalf > settings.minMs) return untilHalf;
    const overdue = elapsedMs - 1.5 * usualMs;
    return overdue <= 0 ? settings.minMs : Math.min(settings.maxMs, settings.minMs + overdue / 4);
  }
}
