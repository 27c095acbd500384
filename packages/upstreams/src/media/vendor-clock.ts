import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from './media-wire.ts';

/** A larger skew is not a clock error. */
const LARGEST_SKEW_MS = 24 * 3_600_000;

export interface VendorClock {
  /** Unix milliseconds. */
  now(): number;
  /** Learns the vendor's time from the `date` of a response that refused a signature. */
  learn(response: UpstreamResponse): void;
}

export function vendorClock(now: () => number): VendorClock {
  let skewMs = 0;
  return {
    now: () => now() + skewMs,
    learn({ headers }) {
      const vendorTime = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
      const skew = vendorTime - now();
      if (Math.abs(skew) <= LARGEST_SKEW_MS) skewMs = skew;
    },
  };
}

/**
 * The part of a wire that signs refused calls again by the vendor's clock.
 * @param refuses whether a response refuses only the time of the signature
 */
export function signsAgain(
  clock: VendorClock,
  refuses: (response: UpstreamResponse) => boolean,
): Required<Pick<MediaWire<never>, 'refusesSignatureTime'>> {
  return {
    refusesSignatureTime(response) {
      const isRefused = refuses(response);
      if (isRefused) clock.learn(response);
      return isRefused;
    },
  };
}
