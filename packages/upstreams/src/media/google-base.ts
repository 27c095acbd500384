import { parseBaseUrl } from '../text/base-url.ts';
import type { UpstreamAccount } from '../upstream.ts';

/** The base path of the Gemini API, with the version that it may omit. */
export function versionedPath(path: string): string {
  return /\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`;
}

/** A Gemini API account whose `base_url` ends in a version. */
export function versioned(account: UpstreamAccount): UpstreamAccount {
  const { origin, path, search } = parseBaseUrl(account.base_url);
  return { ...account, base_url: origin + versionedPath(path) + search };
}
