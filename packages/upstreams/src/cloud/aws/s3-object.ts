import type { UpstreamAccount } from '../../contract/upstream.ts';
import { regionOf } from './aws-signer.ts';
import { encodeSegment } from './encode-segment.ts';

type S3Account = Pick<UpstreamAccount, 'base_url' | 's3_endpoint' | 'identity'>;

/** Returns the URL of S3 for an account, without a bucket. By default, it is that of the account's region. */
export function s3EndpointOf(account: S3Account): string {
  const { base_url: baseUrl, s3_endpoint: endpoint } = account;
  if (endpoint !== undefined) return endpoint.replace(/\/+$/, '');
  const domain = new URL(baseUrl).hostname.endsWith('.amazonaws.com.cn') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://s3.${regionOf(account)}.${domain}`;
}

/** Returns the URL of Bedrock's API for jobs, whose host has another name than that of the runtime API. */
export function controlUrlOf({ base_url: baseUrl }: Pick<UpstreamAccount, 'base_url'>): string {
  return baseUrl.replace(/^(https:\/\/(?:[\w-]+\.)*)bedrock-runtime\./, '$1bedrock.');
}

/** Returns a function that checks whether a call is below the URL of S3. */
export function belowEndpoint(endpoint: string): (call: { origin: string; path: string }) => boolean {
  const url = new URL(endpoint);
  const base = url.pathname === '/' ? '/' : `${url.pathname}/`;
  return ({ origin, path }) => origin === url.origin && path.startsWith(base);
}

/**
 * Returns the URL of an object, with the bucket in the path. Undefined for a URI that is not `s3://bucket/key`, or whose
 * key would leave the bucket, because `..` in a URL names the parent.
 */
export function objectUrl(endpoint: string, uri: string): string | undefined {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][\w.-]*)\/(.+)$/.exec(uri) ?? [];
  if (bucket === undefined || key === undefined) return undefined;
  const segments = key.split('/');
  if (segments.some((segment) => segment === '.' || segment === '..')) return undefined;
  return [endpoint, bucket, ...segments.map(encodeSegment)].join('/');
}
