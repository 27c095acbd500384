import { API_ROOT } from '../../../lib/base-path.ts';

/**
 * Returns a link of the API at the address of this page. The API builds its links from the host of the request, which
 * a proxy may have changed. @returns undefined for a link of another kind
 */
export function mediaUrl(link: string | undefined): string | undefined {
  if (link === undefined || !URL.canParse(link)) return undefined;
  const { pathname, search } = new URL(link);
  const at = pathname.indexOf('/v1/');
  return at === -1 ? undefined : new URL(pathname.slice(at + 1) + search, API_ROOT).href;
}
