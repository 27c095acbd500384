import type { AuthClient } from 'google-auth-library';
import type { SendTokenRequest } from '../../http/token-request.ts';
import type { TimedCredential } from '../credential-cache.ts';
import type { GoogleIdentity } from '../../contract/identity-settings.ts';
import { readCredentialsFile } from './credentials-file.ts';
import { googleFetch } from './google-fetch.ts';

const SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];

/**
 * Loads an access token with `google-auth-library`, which is loaded for the first token. Each token has a new client,
 * because clients return a token again that the vendor rejected.
 */
export async function loadGoogleToken(
  settings: GoogleIdentity,
  send: SendTokenRequest,
): Promise<TimedCredential<string>> {
  const client = await createClient(settings, send);
  try {
    const { token } = await client.getAccessToken();
    const { expiry_date: expiresAt } = client.credentials;
    if (!token || !expiresAt) throw new Error('Google returned no token with an expiry time');
    return { value: token, expiresAt };
  } catch (error) {
    // The library's errors contain its requests, which are credentials.
    // oxlint-disable-next-line preserve-caught-error -- it would be logged
    throw new Error(error instanceof Error ? error.message : 'unknown error');
  }
}

async function createClient(settings: GoogleIdentity, send: SendTokenRequest): Promise<AuthClient> {
  const library = await import('google-auth-library');
  if (settings.type === 'google-metadata') {
    const { service_account: email } = settings;
    return new library.Compute({ scopes: SCOPES, ...(email !== undefined && { serviceAccountEmail: email }) });
  }
  const credentials = await readCredentialsFile(settings.credentials_file);
  const transporterOptions = { fetchImplementation: googleFetch(credentials, send), retry: false };
  if (credentials.type === 'external_account') {
    const client = new library.IdentityPoolClient({ ...credentials, scopes: SCOPES, transporterOptions });
    // The library would send the exchange with another HTTP client.
    Object.assign(Reflect.get(client, 'stsCredential') as object, { transporter: client.transporter });
    return client;
  }
  const { client_email: email, private_key: key, private_key_id: keyId } = credentials;
  return new library.JWT({ email, key, ...(keyId !== undefined && { keyId }), scopes: SCOPES, transporterOptions });
}
