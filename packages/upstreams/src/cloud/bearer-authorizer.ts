import type { Authorization, Authorizer } from './authorized-context.ts';
import type { CredentialCache } from './credential-cache.ts';

/** Authorizes calls with an access token. The vendor reports with 401 that it rejects the token. */
export function bearerAuthorizer(cache: CredentialCache<string>): Authorizer {
  let last: { token: string; authorization: Authorization } | undefined;
  const authorizationOf = (token: string): Authorization => {
    if (last?.token !== token) last = { token, authorization: bearerAuthorization(cache, token) };
    return last.authorization;
  };
  return {
    authorize: () => {
      const token = cache.get();
      return typeof token === 'string' ? authorizationOf(token) : token.then(authorizationOf);
    },
    secrets: () => [cache.last()].filter((token) => token !== undefined),
  };
}

function bearerAuthorization(cache: CredentialCache<string>, token: string): Authorization {
  return {
    headers: { authorization: `Bearer ${token}` },
    isRejected: ({ status }) => {
      if (status === 401) return cache.reject(token);
      if (status < 500) cache.accept(token);
      return false;
    },
  };
}
