import { accountName } from '@sluice/canonical';
import type { CredentialConfig } from '../schema/credential-schema.ts';
import type { UpstreamConfig } from '../schema/schema.ts';

/** An upstream with one credential. */
export type AccountConfig = Omit<UpstreamConfig, 'credentials'>;

/**
 * Returns the vendor accounts of the upstreams, by account name. An upstream with a pool has one account for each
 * credential. Its own name stands for the first one: older tasks and capabilities are looked up by it.
 */
export function accountsOf(upstreams: Readonly<Record<string, UpstreamConfig>>): Record<string, AccountConfig> {
  const accounts: Record<string, AccountConfig> = {};
  for (const [upstream, { credentials = [], ...own }] of Object.entries(upstreams)) {
    const [first] = credentials;
    accounts[upstream] = first ? withCredential(own, first) : own;
    for (const one of credentials) {
      accounts[accountName({ upstream, credential: one.name })] = withCredential(own, one);
    }
  }
  return accounts;
}

function withCredential(own: AccountConfig, credential: CredentialConfig): AccountConfig {
  const { api_key, access_key, secret_key, identity, max_in_flight = own.max_in_flight } = credential;
  return {
    ...own,
    ...(api_key !== undefined && { api_key }),
    ...(access_key !== undefined && { access_key }),
    ...(secret_key !== undefined && { secret_key }),
    ...(identity !== undefined && { identity }),
    ...(max_in_flight !== undefined && { max_in_flight }),
  };
}
