import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Provider from 'oidc-provider';

export interface OidcServerOptions {
  /** By default, a free one. */
  port?: number;
  /** The callbacks of the client. */
  redirectUris: string[];
  /** The claims of each user, by the name that the user enters on the sign-in page. */
  users: Readonly<Record<string, { email?: string; groups?: unknown }>>;
  /** Claims of ID tokens that replace the provider's. */
  idToken?: Readonly<Record<string, unknown>>;
  /** If true, ID tokens are signed with another key than the published one. */
  isForged?: boolean;
  /** Whether ID tokens contain all claims. Otherwise, only the user info does. */
  withClaims?: boolean;
  /** How the client authenticates. */
  clientAuth?: 'client_secret_basic' | 'client_secret_post';
}

/** An OpenID Connect provider on loopback. */
export interface OidcServer {
  issuer: string;
  /** The paths of all requests, without their queries. */
  requests: string[];
  close(): Promise<void>;
}

export const OIDC_CLIENT = { id: 'sluice', secret: 'secret-of-the-oidc-client' };
const SCOPE = 'openid email groups';

/** Starts a provider whose sign-in page has only a field for a user's name. */
export async function startOidcServer(options: OidcServerOptions): Promise<OidcServer> {
  const requests: string[] = [];
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The server listens on TCP.
  const issuer = `http://127.0.0.1:${port}`;
  const provider = await createProvider(issuer, options);
  const serve = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    requests.push(path);
    void (path.startsWith('/interaction/') ? showSignIn(provider, request, response) : serve(request, response));
  });
  return {
    issuer,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function createProvider(issuer: string, options: OidcServerOptions): Promise<Provider> {
  // Only a few tests need this large library.
  const { default: OidcProvider } = await import('oidc-provider');
  const { redirectUris, users, withClaims = false, clientAuth } = options;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const provider = new OidcProvider(issuer, {
    clients: [
      {
        client_id: OIDC_CLIENT.id,
        client_secret: OIDC_CLIENT.secret,
        redirect_uris: redirectUris,
        ...(clientAuth && { token_endpoint_auth_method: clientAuth }),
      },
    ],
    ...(clientAuth && { clientAuthMethods: [clientAuth] }),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key of the test provider'] },
    claims: { openid: ['sub'], email: ['email'], groups: ['groups'] },
    conformIdTokenClaims: !withClaims,
    ttl: {
      IdToken: 300,
      AccessToken: 300,
      AuthorizationCode: 60,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => {
      const user = users[id];
      return user && { accountId: id, claims: () => ({ sub: id, ...user }) };
    },
    // Without a page for the user's consent.
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new oidc.provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope(SCOPE);
      await grant.save();
      return grant;
    },
  });
  const { idToken, isForged = false } = options;
  if (idToken !== undefined || isForged) {
    const signingKey = isForged ? generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey : privateKey;
    provider.use(async (context, next) => {
      await next();
      const body = context.body as { id_token?: string } | undefined; // The field is checked.
      if (body?.id_token !== undefined) body.id_token = signAgain(body.id_token, idToken ?? {}, signingKey);
    });
  }
  return provider;
}

/** Returns a token with other claims and a new signature. */
function signAgain(token: string, changes: object, key: KeyObject): string {
  const [header = '', payload = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object; // A payload is an object.
  const content = `${header}.${Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')}`;
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), key).toString('base64url')}`;
}

/** Shows the form, and finishes the sign-in when it is sent. The user `nobody` cancels it. */
async function showSignIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    const form = '<form method="post"><label>User <input name="user"></label> <button>Continue</button></form>';
    response.end(`<!doctype html><html lang="en"><title>Provider</title>${form}`);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // A request yields buffers.
  const user = new URLSearchParams(Buffer.concat(chunks).toString()).get('user') ?? '';
  const result = user === 'nobody' ? { error: 'access_denied' } : { login: { accountId: user } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
