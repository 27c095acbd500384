import { parseBaseUrl } from '../text/base-url.ts';
import type { UpstreamAccount } from '../upstream.ts';

/** Strips the version from an account's `base_url`: each path has its own. */
export function unversioned(account: UpstreamAccount): UpstreamAccount {
  const { origin, path, search } = parseBaseUrl(account.base_url);
  return { ...account, base_url: origin + path.replace(/\/v\d+$/, '') + search };
}
