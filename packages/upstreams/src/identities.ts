import type { IdentitySettings } from './contract/identity-settings.ts';
import type { UpstreamAccount, UpstreamContext } from './contract/upstream.ts';
import type { SendTokenRequest } from './http/token-request.ts';
import type { Authorizer } from './cloud/authorized-context.ts';
import { openAwsIdentity } from './cloud/aws/aws-identity.ts';
import { openAzureIdentity } from './cloud/azure/azure-identity.ts';
import { openGoogleIdentity } from './cloud/google/google-identity.ts';
import type { IdentityDeps, OpenIdentity } from './cloud/open-identity.ts';

/** The identities of a process. Accounts with the same identity share its credentials, also across reloads. */
export interface Identities {
  authorizerOf(this: void, account: IdentityAccount, context: UpstreamContext): Authorizer;
  /** Forgets the credentials of other identities. */
  keepOnly(this: void, accounts: readonly UpstreamAccount[]): void;
}

type IdentityAccount = UpstreamAccount & { identity: IdentitySettings };

export function createIdentities(sendTokenRequest: SendTokenRequest): Identities {
  const opened = new Map<string, ReturnType<OpenIdentity<IdentitySettings>>>();
  return {
    authorizerOf(account, { name: upstream, logger, now }) {
      const { identity } = account;
      const key = JSON.stringify(identity);
      const authorizerFor = opened.get(key) ?? openIdentity(identity, { sendTokenRequest, logger, now, onFailure });
      opened.set(key, authorizerFor);
      return authorizerFor(account);

      function onFailure(error: unknown, isUsable: boolean): void {
        const details = { upstream, identity: identity.type, err: error };
        const left = isUsable ? '; the current one is still valid' : '';
        logger.warn(details, `credential of the identity could not be obtained${left}`);
      }
    },
    keepOnly(accounts) {
      const kept = new Set(accounts.map(({ identity }) => JSON.stringify(identity)));
      for (const key of opened.keys()) if (!kept.has(key)) opened.delete(key);
    },
  };
}

function openIdentity(identity: IdentitySettings, deps: IdentityDeps): ReturnType<OpenIdentity<IdentitySettings>> {
  switch (identity.type) {
    case 'aws-access-key':
    case 'aws-profile':
    case 'aws-container':
    case 'aws-instance':
    case 'aws-web-identity':
      return openAwsIdentity(identity, deps);
    case 'azure-client-secret':
    case 'azure-certificate':
    case 'azure-workload-identity':
    case 'azure-managed-identity':
      return openAzureIdentity(identity, deps);
    case 'google-credentials':
    case 'google-metadata':
      return openGoogleIdentity(identity, deps);
  }
}
