import { MinuteWindow } from './minute-window.ts';

/** A process's use of its share of a limit. All are counts of the limit's unit. */
interface ShareReport {
  limit: number;
  /** The part that the process holds, or has used of a larger part that it held before. */
  held: number;
  /** The part that the process would like to hold. */
  wanted: number;
}

/** A call's part of a share. */
export interface Taken {
  /** Replaces the estimate with the actual amount, e.g. of tokens. */
  correct(amount: number): void;
  /** The call has ended. Has no effect on limits per minute. */
  release(): void;
}

/**
 * This process's share of a credential's limit. The processes that use a credential divide its limit between them, so
 * that together they never exceed it. A process uses only what it holds.
 */
export interface Share {
  limit: number;
  /** The part of the limit that this process holds. */
  readonly held: number;
  /** Amount in use. */
  readonly used: number;
  /** Changes the part, but not below what is in use. */
  hold(part: number): void;
  /** Milliseconds until `amount` can be taken, or 0. A call larger than the limit is treated as large as the limit. */
  waitMs(amount: number): number;
  /** @returns undefined if the share does not suffice */
  take(amount: number): Taken | undefined;
  /** Reports the use, and begins a new count of refused calls. */
  report(): ShareReport;
}

/** Without a better estimate, a refused call retries after this time: the shares are divided again until then. */
export const RETRY_MS = 500;

/** The share of a limit per minute. @param now milliseconds of a monotonic clock */
export function minuteShare(limit: number, now: () => number): Share {
  const window = new MinuteWindow(now);
  let held = 0;
  let refused = 0;
  const share: Share = {
    limit,
    get held() {
      return held;
    },
    get used() {
      return window.sum;
    },
    hold(part) {
      held = Math.max(part, Math.ceil(window.sum));
    },
    waitMs(requested) {
      const amount = Math.min(requested, share.limit);
      return amount > held ? RETRY_MS : window.msUntil(held - amount);
    },
    take(requested) {
      const amount = Math.min(requested, share.limit);
      if (window.sum + amount > held) {
        refused += amount;
        return undefined;
      }
      return taken(window, amount);
    },
    report() {
      const { sum } = window;
      // A tenth more than now, and what was refused, so that a growing process is not refused first.
      const wanted = sum + refused === 0 ? 0 : Math.min(share.limit, Math.ceil(sum * 1.1) + refused + 1);
      refused = 0;
      return { limit: share.limit, held: Math.max(held, Math.ceil(sum)), wanted };
    },
  };
  return share;
}

function taken(window: MinuteWindow, amount: number): Taken {
  const bucket = window.advance();
  window.add(bucket, amount);
  let counted = amount;
  return {
    correct(actual) {
      // A larger amount counts from now.
      window.add(actual > counted ? window.advance() : bucket, actual - counted);
      counted = actual;
    },
    release: () => undefined,
  };
}

/** The share of a limit of concurrent calls. */
export function concurrencyShare(limit: number): Share {
  let used = 0;
  let held = 0;
  let refused = 0;
  const share: Share = {
    limit,
    get held() {
      return held;
    },
    get used() {
      return used;
    },
    hold(part) {
      held = Math.max(part, used);
    },
    waitMs: () => (used < held ? 0 : RETRY_MS),
    take() {
      if (used >= held) {
        refused += 1;
        return undefined;
      }
      used += 1;
      let isReleased = false;
      return {
        correct: () => undefined,
        release() {
          if (isReleased) return;
          isReleased = true;
          used -= 1;
        },
      };
    },
    report() {
      const wanted = used + refused === 0 ? 0 : Math.min(share.limit, Math.ceil(used * 1.25) + refused);
      refused = 0;
      return { limit: share.limit, held, wanted };
    },
  };
  return share;
}
