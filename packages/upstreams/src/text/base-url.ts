/** A configured `base_url`, taken apart. */
export interface BaseUrl {
  /** `https://host:port` */
  origin: string;
  /** Without a slash at the end; empty for the root. */
  path: string;
  /** The query with its `?`, as Azure's `?api-version=…`; empty for none. */
  search: string;
}

/** Takes a `base_url` apart. @throws TypeError when it is none */
export function parseBaseUrl(text: string): BaseUrl {
  const { origin, pathname, search } = new URL(text);
  return { origin, path: pathname.replace(/\/+$/, ''), search };
}

/** The path and query of a call below a base; `path` may bring a query of its own. */
export function pathBelow(base: BaseUrl, path: string): string {
  if (base.search === '') return base.path + path;
  return `${base.path}${path}${path.includes('?') ? base.search.replace('?', '&') : base.search}`;
}

/**
 * The same for a path that a client had a hand in.
 * @returns undefined when it would lead somewhere else than below the base
 */
export function safePathBelow(base: BaseUrl, path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const { pathname, search, hash } = new URL(`http://x${base.path}${path}`);
  // The parser has resolved `..` and its escaped spellings; a path that it changed was none that a vendor gave out.
  if (hash !== '' || `${pathname}${search}` !== `${base.path}${path}`) return undefined;
  return pathBelow(base, path);
}
