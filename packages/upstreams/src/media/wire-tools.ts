import type { UpstreamJob } from '@sluice/canonical';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { sanitiseReason } from '../http/sanitise-reason.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';

/** A younger job may not be visible on every server of its vendor. */
const YOUNG_MS = 5 * 60_000;
const IMAGE_MS = 180_000;
const LOOK_UP_MS = 45_000;

/** The context of a vendor's text. */
interface WordsAbout extends Partial<Pick<UpstreamJob, 'baseUrl' | 'upstreamId'>> {
  /** The upstream model name, which clients may see. */
  model?: string;
}

/** Helpers to read responses. */
export interface WireTools {
  /** The vendor's text, sanitized, or `otherwise` if there is none. */
  reason(words: string | undefined, otherwise: string, about?: WordsAbout): string;
  /** The vendor's retry delay, to be spread into an outcome. */
  later(response: UpstreamResponse): { retryAfterMs?: number };
  /** Whether "not found" may still mean "not yet". */
  isYoung(job: UpstreamJob): boolean;
  /** Whether an empty lookup proves that a submission lost at this time (Unix milliseconds) does not exist. */
  isSettled(lostAt: number): boolean;
  /** Max idle time of a synchronous image call, in milliseconds. */
  imageMs: number;
  now: () => number;
}

export function wireTools(account: UpstreamAccount, context: UpstreamContext): WireTools {
  const { timeouts, now } = context;
  const keys = [account.api_key, account.access_key, account.secret_key, ...Object.values(account.headers ?? {})];
  return {
    reason(words, otherwise, { baseUrl, upstreamId, model } = {}) {
      const hosts = [account.base_url, baseUrl].map((url) => (url ? URL.parse(url)?.host : undefined));
      const hide = [...keys, ...hosts, upstreamId].filter((word) => word !== undefined);
      const reason = sanitiseReason(words ?? '', hide, model);
      return reason === '' ? otherwise : reason;
    },
    later({ headers }) {
      const wait = cappedRetryAfterMs(headers, now());
      return wait === undefined ? {} : { retryAfterMs: wait };
    },
    isYoung: ({ acceptedAt }) => now() - acceptedAt < YOUNG_MS,
    isSettled: (lostAt) => now() - lostAt >= (timeouts.lookUpMs ?? LOOK_UP_MS),
    imageMs: timeouts.imageMs ?? IMAGE_MS,
    now,
  };
}
