import type { TokenCredential } from '@azure/identity';
import type { SendTokenRequest } from '../../http/token-request.ts';
import type { TimedCredential } from '../credential-cache.ts';
import { azureHttpClient } from './azure-http-client.ts';
import type { AzureIdentity } from '../../contract/identity-settings.ts';

/** The pause of a retry after a network error. After it, the cache of the credential decides about the next load. */
const RETRY = { maxRetries: 1, retryDelayInMs: 500 };

/**
 * Loads an access token with `@azure/identity`, which is loaded for the first token. Each token has a new credential
 * object, because these objects return a token again until 5 minutes before its end, even if the vendor rejected it.
 */
export async function loadAzureToken(
  settings: AzureIdentity,
  send: SendTokenRequest,
): Promise<TimedCredential<string>> {
  const credential = await createCredential(settings, send);
  const token = await credential.getToken(settings.scope);
  if (token === null) throw new Error('Microsoft Entra ID returned no token');
  return { value: token.token, expiresAt: token.expiresOnTimestamp, refreshAt: token.refreshAfterTimestamp };
}

async function createCredential(settings: AzureIdentity, send: SendTokenRequest): Promise<TokenCredential> {
  const library = await import('@azure/identity');
  const httpClient = await azureHttpClient(settings, send);
  const common = { httpClient, retryOptions: RETRY };
  if (settings.type === 'azure-managed-identity') {
    return new library.ManagedIdentityCredential({
      ...common,
      ...(settings.client_id !== undefined && { clientId: settings.client_id }),
    });
  }
  const { tenant_id: tenantId, client_id: clientId } = settings;
  const options = {
    ...common,
    authorityHost: secureOrigin(settings.authority_host),
    // The authority is configured, so Microsoft's list of authorities is not needed.
    disableInstanceDiscovery: true,
  };
  switch (settings.type) {
    case 'azure-client-secret':
      return new library.ClientSecretCredential(tenantId, clientId, settings.client_secret, options);
    case 'azure-certificate': {
      const { certificate, certificate_password: certificatePassword } = settings;
      const pem = { certificate, ...(certificatePassword !== undefined && { certificatePassword }) };
      return new library.ClientCertificateCredential(tenantId, clientId, pem, options);
    }
    case 'azure-workload-identity':
      return new library.WorkloadIdentityCredential({
        tenantId,
        clientId,
        tokenFilePath: settings.token_file,
        ...options,
      });
  }
}

/** The library accepts only `https:`. The HTTP client calls the configured origin, which can be on the same machine. */
function secureOrigin(url: string): string {
  return new URL(url).origin.replace(/^http:/, 'https:');
}
