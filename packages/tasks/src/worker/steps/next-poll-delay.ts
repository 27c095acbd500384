import type { PollSettings } from '../../store/task-settings.ts';

export interface PollSituation {
  elapsedMs: number; // since acceptance
  usualMs?: number; // typical running time of the model
  retryAfterMs?: number; // requested by the vendor; may be any number
  unclearPolls: number; // consecutive
}

/** Varies a delay by up to this fraction, so that tasks created together are not polled together. */
const JITTER = 0.15;

/**
 * Delay until the next poll, milliseconds. The vendor's requested delay takes precedence within the bounds: a stray
 * `Retry-After` of a day must not delay a finished, paid job. Otherwise the first poll is at half of
 * the typical time, polls are frequent near the end, and become rarer when the task takes longer or responses are
 * unclear.
 * @param random a number from 0 up to 1
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
