import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { MediaWire } from './media-wire.ts';

/** Skews beyond this are no clock's fault. */
const LARGEST_SKEW_MS = 24 * 3_600_000;

/** The time as a vendor has it, for signatures that are good for minutes only. */
export interface VendorClock {
  /** Unix milliseconds. */
  now(): number;
  /** Takes the vendor's time over from the `date` of an answer that refused a signature. */
  learn(response: UpstreamResponse): void;
}

/** Makes a clock that agrees with our own until it learns better. */
export function vendorClock(now: () => number): VendorClock {
  let skewMs = 0;
  return {
    now: () => now() + skewMs,
    learn({ headers }) {
      const told = headers.date === undefined ? Number.NaN : Date.parse(headers.date);
      const skew = told - now();
      if (Math.abs(skew) <= LARGEST_SKEW_MS) skewMs = skew;
    },
  };
}

/**
 * The part of a wire that has a call signed anew, by the vendor's clock.
 * @param refuses whether an answer surely refuses the time of the signature, and nothing else
 */
export function signsAnew(
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
