import type { PollSettings } from '../../store/task-settings.ts';

export interface PollSituation {
  elapsedMs: number; // Time since acceptance.
  usualMs?: number; // The model's typical running time.
  retryAfterMs?: number; // Delay that the vendor requested. The value may be any number.
  unclearPolls: number; // Number of consecutive unclear polls.
}

/** Delays vary randomly by up to this fraction, so that tasks created together are not polled together. */
const JITTER = 0.15;

/**
 * Returns the delay until the next poll, in milliseconds. The delay that the vendor requests takes precedence, but
 * within bounds, because a mistaken `Retry-After` of a day must not delay a finished, paid job. If the vendor requests
 * none, the first poll is sent after half of the typical running time. Polls are frequent around the typical time, and
 * less frequent if the task takes longer or responses are unclear.
 * @param random a number of at least 0 and less than 1
 */
export function nextPollDelay(situation: PollSituation, settings: PollSettings, random: number): number {
  const { elapsedMs, usualMs, retryAfterMs, unclearPolls } = situation;
  if (retryAfterMs !== undefined) return Math.max(settings.minMs, Math.min(retryAfterMs, settings.maxMs));
  return Math.round(plainDelay() * (1 - JITTER + 2 * JITTER * random));

  function plainDelay(): number {
    if (unclearPolls > 0) return Math.min(settings.maxMs, settings.minMs * 1.5 ** unclearPolls);
    if (usualMs === undefined) {
      // If the typical time is unknown, the delay is short at first and then grows with the task's age.
      return elapsedMs === 0 ? settings.firstMs : Math.min(settings.maxMs, Math.max(settings.minMs, elapsedMs / 10));
    }
    const untilHalf = usualMs / 2 - elapsedMs;
    if (untilHalf > settings.minMs) return untilHalf;
    const overdue = elapsedMs - 1.5 * usualMs;
    return overdue <= 0 ? settings.minMs : Math.min(settings.maxMs, settings.minMs + overdue / 4);
  }
}
