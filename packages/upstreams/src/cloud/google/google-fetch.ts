import type { SendTokenRequest } from '../../http/token-request.ts';
import type { GoogleCredentials } from './credentials-file.ts';

/** The library calls this URL for all service accounts, in place of the `token_uri` of the file. */
const LIBRARY_TOKEN_URL = 'https://oauth2.googleapis.com/token';

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };

/** Creates the `fetch` of `google-auth-library`. It calls only the hosts that the file names. */
export function googleFetch(credentials: GoogleCredentials, send: SendTokenRequest): typeof fetch {
  const allowed = new Set(urlsOf(credentials).map((url) => new URL(url).origin));
  return async (input, init = {}) => {
    const url = targetOf(credentials, new URL(input instanceof Request ? input.url : input));
    if (!allowed.has(url.origin)) {
      throw new Error(`the token request to ${url.origin} was refused, because the credentials do not name this host`);
    }
    const { status, headers, body } = await send({
      method: init.method === 'GET' || init.method === undefined ? 'GET' : 'POST',
      url,
      // As with any `fetch`, the type of a form is added here.
      headers: { ...(init.body instanceof URLSearchParams && FORM), ...Object.fromEntries(new Headers(init.headers)) },
      body: bodyOf(init.body),
      signal: init.signal ?? undefined,
    });
    return new Response(body === '' ? null : body, { status, headers });
  };
}

function urlsOf(credentials: GoogleCredentials): string[] {
  if (credentials.type === 'service_account') return [credentials.token_uri];
  const { token_url: token, service_account_impersonation_url: impersonation, credential_source: source } = credentials;
  return [token, impersonation, 'url' in source ? source.url : undefined].filter((url) => typeof url === 'string');
}

function targetOf(credentials: GoogleCredentials, url: URL): URL {
  return credentials.type === 'service_account' && url.href === LIBRARY_TOKEN_URL
    ? new URL(credentials.token_uri)
    : url;
}

function bodyOf(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new Error('the token request has an unexpected body');
}
