import type { IssuedToken, IssueToken } from './token-source.ts';

export interface ElastiCacheIdentity {
  /** The name of the cache, or the id of the replication group. */
  cache: string;
  region: string;
  serverless: boolean;
  /** The id of the user, which is also its name. */
  user: string;
}

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  expiration?: Date | undefined;
}

/** The longest time that ElastiCache accepts, in seconds. */
const LIFETIME_S = 900;

/**
 * Signs a token for ElastiCache: the presigned URL of a request `connect`, without its scheme. Source: the AWS
 * documentation, "Authenticating with IAM".
 * @param credentials By default, those of the AWS default chain: environment, profile, web identity, or the container's
 *   or instance's role.
 */
export async function elastiCacheTokens(
  { cache, region, serverless, user }: ElastiCacheIdentity,
  credentials?: () => Promise<AwsCredentials>,
): Promise<IssueToken> {
  const [{ SignatureV4 }, { Hash }, provider] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/serde'),
    credentials ?? import('@aws-sdk/credential-provider-node').then(({ defaultProvider }) => defaultProvider()),
  ]);
  const sha256 = Hash.bind(undefined, 'sha256');
  const host = cache.toLowerCase();
  const query = { Action: 'connect', User: user, ...(serverless && { ResourceType: 'ServerlessCache' }) };
  return async (): Promise<IssuedToken> => {
    const signing = await provider();
    const signer = new SignatureV4({ service: 'elasticache', region, credentials: signing, sha256 });
    const request = { method: 'GET', protocol: 'http:', hostname: host, path: '/', headers: { host }, query };
    const signed = await signer.presign(request, { expiresIn: LIFETIME_S });
    const pairs = Object.entries(signed.query ?? {}).map(
      ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
    );
    const expiresAt = Math.min(Date.now() + LIFETIME_S * 1_000, signing.expiration?.getTime() ?? Infinity);
    return { token: `${host}/?${pairs.join('&')}`, expiresAt };
  };
}
