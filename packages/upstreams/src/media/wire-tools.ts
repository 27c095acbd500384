import type { UpstreamJob } from '@sluice/canonical';
import { cappedRetryAfterMs } from '../http/retry-after.ts';
import { sanitiseReason } from '../http/sanitise-reason.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';

/** A job younger than this may not be seen yet by every machine of its vendor. */
const YOUNG_MS = 5 * 60_000;
const IMAGE_MS = 180_000;
const LOOK_UP_MS = 45_000;

/** What a vendor's words are about. */
interface WordsAbout extends Partial<Pick<UpstreamJob, 'baseUrl' | 'upstreamId'>> {
  /** The model's name at the upstream, which may show. */
  model?: string;
}

/** What a wire reads answers with. */
export interface WireTools {
  /** The vendor's words, fit for a client, or `otherwise` when there are none. */
  reason(words: string | undefined, otherwise: string, about?: WordsAbout): string;
  /** When the vendor wants to be asked again, to be spread into an outcome. */
  later(response: UpstreamResponse): { retryAfterMs?: number };
  /** Whether "not found" may still mean "not yet". */
  isYoung(job: UpstreamJob): boolean;
  /** Whether a look-up that finds nothing may be believed for a submission that was lost then, Unix milliseconds. */
  isSettled(lostAt: number): boolean;
  /** Longest silence of a synchronous call that makes an image, milliseconds. */
  imageMs: number;
  now: () => number;
}

/** Builds the {@link WireTools} of an account. */
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
