import { parseBaseUrl } from '../text/base-url.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';

export function unversioned(account: UpstreamAccount): UpstreamAccount {
  const { origin, path, search } = parseBaseUrl(account.base_url);
  return { ...account, base_url: origin + path.replace(/\/v\d+$/, '') + search };
}
