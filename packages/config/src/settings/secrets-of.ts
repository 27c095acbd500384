import type { Config } from '../schema/schema.ts';

/** Masking shorter header values would hide ordinary words. */
const MIN_HEADER_LENGTH = 8;

/** Lists every credential in the configuration for the logger to mask. */
export function secretsOf(config: Config): string[] {
  const upstreams = Object.values(config.upstreams);
  const credentials = upstreams.flatMap(({ api_key, access_key, secret_key }) => [api_key, access_key, secret_key]);
  const headers = upstreams.flatMap((upstream) => Object.values(upstream.headers ?? {}).flatMap(headerSecrets));
  const all = [
    config.server.secret,
    config.server.admin_key,
    config.content.s3?.secret_key,
    ...config.keys.map(({ key }) => key),
    ...credentials,
    ...headers,
  ];
  return [...new Set(all.filter((secret): secret is string => secret !== undefined && secret !== ''))];
}

/** Returns the value and, for `Bearer abc`, also `abc`, because a vendor may repeat it alone. */
function headerSecrets(value: string): string[] {
  return [value, value.slice(value.lastIndexOf(' ') + 1)].filter((text) => text.length >= MIN_HEADER_LENGTH);
}
