import type { Config } from './schema.ts';

/** Every credential in the configuration, as exact texts for a logger to mask. */
export function secretsOf(config: Config): string[] {
  const upstreams = Object.values(config.upstreams).flatMap(({ api_key, access_key, secret_key }) => [
    api_key,
    access_key,
    secret_key,
  ]);
  const all = [...config.keys.map(({ key }) => key), ...upstreams];
  return all.filter((secret): secret is string => secret !== undefined && secret !== '');
}
