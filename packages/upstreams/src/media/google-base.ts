import { parseBaseUrl } from '../text/base-url.ts';

/** Base URLs of Vertex AI end with the publisher of the models, e.g. `/v1/projects/a/locations/b/publishers/google`. */
const PUBLISHER = /\/publishers\/[\w-]+$/;

/** Adds the API version to a Gemini base path if it has none. */
export function versionedPath(path: string): string {
  return PUBLISHER.test(path) || /\/v1(?:(?:alpha|beta)\d*)?$/.test(path) ? path : `${path}/v1beta`;
}

export function versioned(url: string): string {
  const { origin, path, search } = parseBaseUrl(url);
  return origin + versionedPath(path) + search;
}

/** Whether the base URL of an account is Vertex AI's. */
export function isVertex(url: string): boolean {
  return PUBLISHER.test(parseBaseUrl(url).path);
}
