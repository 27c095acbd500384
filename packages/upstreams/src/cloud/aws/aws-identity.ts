import type { AwsIdentity } from '../../contract/identity-settings.ts';
import type { UpstreamAccount } from '../../contract/upstream.ts';
import type { AuthorizableCall, Authorization, Authorizer } from '../authorized-context.ts';
import { createCredentialCache, type CredentialCache } from '../credential-cache.ts';
import type { OpenIdentity } from '../open-identity.ts';
import { createAwsSigner, type AwsCredentials, scopeOf, type SignRequest } from './aws-signer.ts';
import { loadAwsCredentials } from './load-aws-credentials.ts';
import { belowEndpoint, s3EndpointOf } from './s3-object.ts';

/** Opens an identity whose credentials sign each request with Signature Version 4. */
export const openAwsIdentity: OpenIdentity<AwsIdentity> = (settings, { sendTokenRequest, onFailure, now }) => {
  const load = () => loadAwsCredentials(settings, sendTokenRequest);
  const cache = createCredentialCache({ load, onFailure, now });
  return (account) => awsAuthorizer(cache, createAccountSigner(account, now));
};

/** Authorizes calls with an access key that does not expire. The account hides it. */
export function awsKeyAuthorizer(credentials: AwsCredentials, account: UpstreamAccount, now: () => number): Authorizer {
  const { sign, origins } = createAccountSigner(account, now);
  return {
    authorize: async (call) => ({ headers: await sign(call, credentials), isRejected: () => false }),
    origins,
    secrets: () => [],
  };
}

interface AccountSigner {
  sign: SignRequest;
  isStorage(this: void, call: AuthorizableCall): boolean;
  /** The origin of S3. */
  origins: readonly string[];
}

/** Creates a signer of an account's calls, and of its downloads from S3. */
function createAccountSigner(account: UpstreamAccount, now: () => number): AccountSigner {
  const scope = scopeOf(account);
  const endpoint = s3EndpointOf(account);
  const isStorage = belowEndpoint(endpoint);
  const signCall = createAwsSigner(scope, now);
  const signDownload = createAwsSigner({ ...scope, service: 's3' }, now);
  const sign: SignRequest = (call, credentials) => (isStorage(call) ? signDownload : signCall)(call, credentials);
  return { sign, isStorage, origins: [new URL(endpoint).origin] };
}

function awsAuthorizer(
  cache: CredentialCache<AwsCredentials>,
  { sign, isStorage, origins }: AccountSigner,
): Authorizer {
  return {
    authorize: async (call) => {
      const credentials = await cache.get();
      const isRejected = isStorage(call) ? storageRejection(cache, credentials) : rejection(cache, credentials);
      return { headers: await sign(call, credentials), isRejected };
    },
    origins,
    secrets: () => {
      const { accessKeyId, secretAccessKey, sessionToken } = cache.last() ?? {};
      return [accessKeyId, secretAccessKey, sessionToken].filter((secret) => secret !== undefined);
    },
  };
}

/** Exceptions about the credential. Others, e.g. `AccessDeniedException`, are about its permissions. */
const ABOUT_CREDENTIAL = /^(?:ExpiredToken|UnrecognizedClient|InvalidClientTokenId|InvalidToken)/;

/** The APIs of OpenAI and Anthropic at Bedrock do not name the exception. */
function rejection(cache: CredentialCache<AwsCredentials>, credentials: AwsCredentials): Authorization['isRejected'] {
  return ({ status, headers }) => {
    const { 'x-amzn-errortype': exception } = headers;
    if (status === 401 || status === 403) {
      if (exception === undefined || ABOUT_CREDENTIAL.test(exception)) return cache.reject(credentials);
    }
    if (status < 500) cache.accept(credentials);
    return false;
  };
}

/**
 * S3 names its errors only in the body. An expired token is 400 (Amazon S3 API reference, "Error responses"). 403 is
 * nearly always a missing permission or a missing object, so it must not take the credential from other calls.
 */
function storageRejection(
  cache: CredentialCache<AwsCredentials>,
  credentials: AwsCredentials,
): Authorization['isRejected'] {
  return ({ status }) => {
    if (status === 400) return cache.reject(credentials);
    if (status < 400) cache.accept(credentials);
    return false;
  };
}
