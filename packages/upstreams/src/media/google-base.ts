import { parseBaseUrl } from '../text/base-url.ts';
import type { UpstreamAccount } from '../upstream.ts';

/** The path of a base URL of the Gemini API, with the version that it may leave out. */
export function versionedPath(path: string): string {
  return /\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`;
}

/** An account of the Gemini API whose `base_url` ends in a version. */
export function versioned(account: UpstreamAccount): UpstreamAccount {
  const { origin, path, search } = parseBaseUrl(account.base_url);
  return { ...account, base_url: origin + versionedPath(path) + search };
}
