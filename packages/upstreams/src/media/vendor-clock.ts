import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from './media-wire.ts';

/** A larger difference is not treated as clock skew. */
const LARGEST_SKEW_MS = 24 * 3_600_000;

export interface VendorClock {
  /** Unix milliseconds. */
  now(): number;
  /** Reads the vendor's time from the `date` header of a response that rejected a signature. */
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
 * Creates the part of a wire that signs rejected calls again, with the vendor's time.
 * @param refuses whether a response rejects only the signature's timestamp
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
