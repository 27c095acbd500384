import { createHash } from 'node:crypto';
import type { SignatureV4 } from '@smithy/signature-v4';
import type { UpstreamAccount } from '../../contract/upstream.ts';
import type { AuthorizableCall } from '../authorized-context.ts';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

interface SigningScope {
  service: string;
  region: string;
}

/** Returns the headers that sign a request. */
export type SignRequest = (call: AuthorizableCall, credentials: AwsCredentials) => Promise<Record<string, string>>;

/** The region of signatures for hosts that do not name it, e.g. of the sandbox. */
const DEFAULT_REGION = 'us-east-1';

/**
 * Creates a signer of Signature Version 4. The library is loaded for the first request. It derives the key once per day
 * and credential. The signature covers the method, host, path, query, time, session token, and body.
 */
export function createAwsSigner(scope: SigningScope, now: () => number): SignRequest {
  let current: { credentials: AwsCredentials; signer: Promise<SignatureV4> } | undefined;
  return async ({ method, origin, path, body, sha256 }, credentials) => {
    const hash = sha256 ?? (body === undefined ? undefined : hashOf(body));
    if (hash === undefined) throw new Error('a stream cannot be signed');
    if (current?.credentials !== credentials) current = { credentials, signer: loadSigner(credentials, scope) };
    const { protocol, host, hostname } = new URL(origin);
    const [pathname = '', query = ''] = path.split('?', 2);
    const headers = { host, 'x-amz-content-sha256': hash };
    const unsigned = { method, protocol, hostname, path: pathname, query: queryOf(query), headers };
    const signer = await current.signer;
    const { headers: signed } = await signer.sign(unsigned, { signingDate: new Date(now()) });
    const { host: _host, ...added } = signed;
    return added;
  };
}

type RegionalAccount = Pick<UpstreamAccount, 'base_url' | 'identity'>;

/** Returns the scope of signatures for calls to an account's base URL. */
export function scopeOf(account: RegionalAccount): SigningScope {
  const isMantle = placeIn(account)?.endpoint === 'mantle';
  return { service: isMantle ? 'bedrock-mantle' : 'bedrock', region: regionOf(account) };
}

/** Returns the region in a host of Bedrock, e.g. `bedrock-runtime.us-east-1.amazonaws.com`, or of the identity. */
export function regionOf(account: RegionalAccount): string {
  const { identity } = account;
  const ofIdentity = identity && 'region' in identity ? identity.region : DEFAULT_REGION;
  return placeIn(account)?.region ?? ofIdentity;
}

function placeIn({ base_url: baseUrl }: RegionalAccount): { endpoint: string; region: string } | undefined {
  const { hostname } = new URL(baseUrl);
  const [, endpoint, region] = /(?:^|\.)bedrock-([a-z-]+)\.([a-z0-9-]+)\./.exec(hostname) ?? [];
  return endpoint === undefined || region === undefined ? undefined : { endpoint, region };
}

async function loadSigner(credentials: AwsCredentials, scope: SigningScope): Promise<SignatureV4> {
  const [{ SignatureV4: Signer }, { Hash }] = await Promise.all([
    import('@smithy/signature-v4'),
    import('@smithy/core/serde'),
  ]);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const identity = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  // All services except S3 encode the path a second time.
  const uriEscapePath = scope.service !== 's3';
  return new Signer({ ...scope, credentials: identity, sha256: Hash.bind(undefined, 'sha256'), uriEscapePath });
}

function queryOf(query: string): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) (values[name] ??= []).push(value);
  return values;
}

function hashOf(body: NonNullable<AuthorizableCall['body']>): string {
  const hash = createHash('sha256');
  const chunks: readonly (string | Uint8Array)[] = Array.isArray(body) ? body : [body as string | Uint8Array];
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}
