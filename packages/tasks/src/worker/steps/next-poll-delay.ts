import type { PollSettings } from '../../store/task-settings.ts';

/** What the next poll depends on. Times are milliseconds. */
export interface PollSituation {
  /** Since the upstream accepted the task. */
  elapsedMs: number;
  /** The model's usual running time, once known. */
  usualMs?: number;
  /** What the vendor asked for. */
  retryAfterMs?: number;
  /** Poll answers in a row that were not understood. */
  unclearPolls: number;
}

/** Share by which a delay varies, so that tasks made together are not polled together. */
const JITTER = 0.15;

/**
 * When to poll next. The vendor's word wins. Otherwise the first look is at half of the usual time, looks are close
 * while the end is near, and grow rarer once the task takes longer than usual or answers make no sense.
 * @param random a number from 0 up to 1
 * @returns milliseconds from now
 */
export function nextPollDelay(situation: PollSituation, settings: PollSettings, random: number): number {
  const { elapsedMs, usualMs, retryAfterMs, unclearPolls } = situation;
  if (retryAfterMs !== undefined) return Math.max(settings.minMs, retryAfterMs);
  return Math.round(plainDelay() * (1 - JITTER + 2 * JITTER * random));

  function plainDelay(): number {
    if (unclearPolls > 0) return Math.min(settings.maxMs, settings.minMs * 1.5 ** unclearPolls);
    if (usualMs === undefined) {
      // Nothing is known of the model: look often at first, then in proportion to the age.
      return elapsedMs === 0 ? settings.firstMs : Math.min(settings.maxMs, Math.max(settings.minMs, elapsedMs / 10));
    }
    const untilHalf = usualMs / 2 - elapsedMs;
    if (untilHalf > settings.minMs) return untilHalf;
    const overdue = elapsedMs - 1.5 * usualMs;
    return overdue <= 0 ? settings.minMs : Math.min(settings.maxMs, settings.minMs + overdue / 4);
  }
}
