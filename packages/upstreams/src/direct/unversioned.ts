import { parseBaseUrl } from '../text/base-url.ts';
import type { UpstreamAccount } from '../upstream.ts';

/** An account whose `base_url` ends before the version, which it may name: each of its paths has its own. */
export function unversioned(account: UpstreamAccount): UpstreamAccount {
  const { origin, path, search } = parseBaseUrl(account.base_url);
  return { ...account, base_url: origin + path.replace(/\/v\d+$/, '') + search };
}
