import { parseBaseUrl } from '../text/base-url.ts';

/** Adds the API version to a Gemini base path if it has none. */
export function versionedPath(path: string): string {
  return /\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`;
}

export function versioned(url: string): string {
  const { origin, path, search } = parseBaseUrl(url);
  return origin + versionedPath(path) + search;
}
