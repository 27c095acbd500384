import { bearerAuthorizer } from '../bearer-authorizer.ts';
import { createCredentialCache } from '../credential-cache.ts';
import type { AzureIdentity } from '../../contract/identity-settings.ts';
import type { OpenIdentity } from '../open-identity.ts';
import { loadAzureToken } from './load-azure-token.ts';

/** Opens an identity whose access tokens are sent as Bearer. */
export const openAzureIdentity: OpenIdentity<AzureIdentity> = (settings, { sendTokenRequest, onFailure, now }) => {
  const load = () => loadAzureToken(settings, sendTokenRequest);
  const authorizer = bearerAuthorizer(createCredentialCache({ load, onFailure, now }));
  return () => authorizer;
};
