import type * as OpenidClient from 'openid-client';
import type { ClientAuth, Configuration } from 'openid-client';

type Library = typeof OpenidClient;

export interface OidcClientSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  groupsClaim: string;
  /** The absolute URL of the callback, as registered at the provider. */
  redirectUri: string;
}

/** The secrets of one sign-in. The browser has to present all of them. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** For PKCE. */
  verifier: string;
}

export interface OidcUser {
  /** The `sub` of the ID token. */
  subject: string;
  /** An e-mail address, a name, or the subject. */
  name: string;
  groups: readonly string[];
}

export interface OidcClient {
  /** Returns the provider's page for a sign-in. @throws if the provider is unavailable */
  signInUrl(secrets: SignInSecrets): Promise<URL>;
  /**
   * Exchanges the code of a callback for the user, and checks state, nonce, and the ID token with its signature.
   * @param query the query of the callback
   * @throws if a check fails, or the provider refuses or is unavailable
   */
  identify(query: string, secrets: SignInSecrets): Promise<OidcUser>;
}

const TIMEOUT_S = 10;
const MAX_NAME = 256;

/** Loads the library and the provider's settings with the first sign-in, and again after a failure. */
export function createOidcClient(settings: OidcClientSettings): OidcClient {
  const { redirectUri, groupsClaim } = settings;
  let discovered: Promise<[Library, Configuration]> | undefined;
  const discover = async () => {
    discovered ??= discoverProvider(settings);
    try {
      return await discovered;
    } catch (error) {
      discovered = undefined;
      throw error;
    }
  };
  return {
    async signInUrl({ state, nonce, verifier }) {
      const [library, configuration] = await discover();
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes.join(' '),
        state,
        nonce,
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async identify(query, { state, nonce, verifier }) {
      const [library, configuration] = await discover();
      const tokens = await library.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('The provider sent no ID token.');
      // Some providers have these claims only in the user info.
      const isComplete = claims[groupsClaim] !== undefined && claims['email'] !== undefined;
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more =
        isComplete || !hasUserInfo ? {} : await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return userOf({ ...more, ...claims }, groupsClaim);
    },
  };
}

async function discoverProvider(settings: OidcClientSettings): Promise<[Library, Configuration]> {
  const { issuer, clientId, clientSecret } = settings;
  const library = await import('openid-client');
  const server = new URL(issuer);
  const authenticate: ClientAuth = (metadata, ...request) => {
    // The default of OpenID Connect Discovery 1.0, section 3.
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
    const method = methods.includes('client_secret_basic') ? library.ClientSecretBasic : library.ClientSecretPost;
    method(clientSecret)(metadata, ...request);
  };
  // The configuration allows http only for a provider on the same machine.
  const extensions = server.protocol === 'http:' ? [library.allowInsecureRequests] : [];
  const execute = [...extensions, library.enableNonRepudiationChecks];
  const configuration = await library.discovery(server, clientId, undefined, authenticate, {
    execute,
    timeout: TIMEOUT_S,
  });
  configuration.timeout = TIMEOUT_S;
  return [library, configuration];
}

function userOf(claims: Readonly<Record<string, unknown>>, groupsClaim: string): OidcUser {
  const text = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : undefined;
  };
  const subject = text('sub') ?? '';
  const groups = [claims[groupsClaim]].flat().filter((group) => typeof group === 'string');
  return { subject, name: text('email') ?? text('preferred_username') ?? text('name') ?? subject, groups };
}

/** Returns codes of a failure for the log. Its message and causes may contain a code or a token. */
export function failureCodes(error: unknown): { reason: string; provider_error?: string } {
  let reason = error instanceof Error ? error.name : 'unknown';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!('code' in cause) || typeof cause.code !== 'string') continue;
    reason = cause.code;
    break;
  }
  const refusal = error instanceof Error && 'error' in error ? error.error : undefined;
  return {
    reason,
    ...(typeof refusal === 'string' && /^[\w.-]{1,64}$/.test(refusal) && { provider_error: refusal }),
  };
}
