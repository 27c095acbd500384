import type { GoogleIdentity } from '../../contract/identity-settings.ts';
import { storageOrigin } from '../../http/google-storage.ts';
import { bearerAuthorizer } from '../bearer-authorizer.ts';
import { createCredentialCache } from '../credential-cache.ts';
import type { OpenIdentity } from '../open-identity.ts';
import { loadGoogleToken } from './load-google-token.ts';

/** Opens an identity whose access tokens are sent as Bearer, to Vertex AI and to Cloud Storage. */
export const openGoogleIdentity: OpenIdentity<GoogleIdentity> = (settings, { sendTokenRequest, onFailure, now }) => {
  const load = () => loadGoogleToken(settings, sendTokenRequest);
  const authorizer = bearerAuthorizer(createCredentialCache({ load, onFailure, now }));
  return ({ base_url: baseUrl }) => ({ ...authorizer, origins: [storageOrigin(baseUrl)] });
};
