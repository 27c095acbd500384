export interface BaseUrl {
  /** The URL's origin, such as `https://host:port`. */
  origin: string;
  path: string;
  /** The query, including `?` (e.g. Azure's `?api-version=…`); empty if there is none. */
  search: string;
}

/** @throws TypeError if the URL is invalid */
export function parseBaseUrl(text: string): BaseUrl {
  const { origin, pathname, search } = new URL(text);
  // Variables such as AZURE_OPENAI_ENDPOINT end with a slash, and a path follows them.
  return { origin, path: pathname.replaceAll(/\/{2,}/g, '/').replace(/\/$/, ''), search };
}

export function pathBelow(base: BaseUrl, path: string): string {
  if (base.search === '') return base.path + path;
  return `${base.path}${path}${path.includes('?') ? base.search.replace('?', '&') : base.search}`;
}

/** Like {@link pathBelow}, for a path with client input. @returns undefined if the path would leave the base URL */
export function safePathBelow(base: BaseUrl, path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const { pathname, search, hash } = new URL(`http://x${base.path}${path}`);
  // The URL parser resolves `..`, including escaped forms. It does not change any path that vendors use.
  if (hash !== '' || `${pathname}${search}` !== `${base.path}${path}`) return undefined;
  return pathBelow(base, path);
}
