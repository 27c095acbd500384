import type { IssuedToken, IssueToken } from './token-source.ts';

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** The library returns a new token in the last five minutes of the old one. */
const EAGER_MS = 300_000;
/** The lifetime of a token whose expiry is not known. */
const DEFAULT_MS = 600_000;

/**
 * Gets access tokens of Google, which Memorystore accepts as passwords, with the application default credentials: a
 * service account, workload identity federation, or the metadata server.
 */
export async function memorystoreTokens(): Promise<IssueToken> {
  const { GoogleAuth } = await import('google-auth-library');
  const auth = new GoogleAuth({
    scopes: [SCOPE],
    clientOptions: { eagerRefreshThresholdMillis: EAGER_MS },
    projectId: 'none', // A token needs no project, but the library would look for one with another call.
  });
  return async (): Promise<IssuedToken> => {
    const client = await auth.getClient();
    const { token } = await client.getAccessToken();
    if (!token) throw new Error('Google returned no access token.');
    return { token, expiresAt: client.credentials.expiry_date ?? Date.now() + DEFAULT_MS };
  };
}
