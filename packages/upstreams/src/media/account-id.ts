import { createHash } from 'node:crypto';
import { principalOf } from '../contract/identity-settings.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';

export function accountIdOf({ base_url, api_key, access_key, secret_key, identity }: UpstreamAccount): string {
  return createHash('sha256')
    .update(JSON.stringify([base_url, api_key, access_key, secret_key, ...(identity ? [principalOf(identity)] : [])]))
    .digest('base64url')
    .slice(0, 12);
}
