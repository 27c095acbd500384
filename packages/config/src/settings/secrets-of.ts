import { type CredentialField, IDENTITY_SECRETS } from '@sluice/vendors';
import type { Config, UpstreamConfig } from '../schema/schema.ts';

/** Header values and passwords shorter than this are not masked, because masking them would hide ordinary text. */
const MIN_LENGTH = 8;

/** Lists every credential in the configuration, so that the logger can mask it. */
export function secretsOf(config: Config): string[] {
  const upstreams = Object.values(config.upstreams);
  const credentials = upstreams
    .flatMap((upstream) => [upstream, ...(upstream.credentials ?? [])])
    .flatMap(credentialSecrets);
  const headers = upstreams.flatMap((upstream) => Object.values(upstream.headers ?? {}).flatMap(headerSecrets));
  const all = [
    config.server.secret,
    config.server.admin_key,
    config.content.s3?.secret_key,
    config.console.oidc?.client_secret,
    ...urlSecrets(config.ledger.url),
    ...[config.redis.url, ...(config.redis.shards ?? [])].flatMap(urlSecrets),
    ...[config.redis.password, config.redis.sentinel_password].filter((text = '') => text.length >= MIN_LENGTH),
    ...config.keys.map(({ key }) => key),
    ...credentials,
    ...headers,
  ];
  return [...new Set(all.filter((secret): secret is string => secret !== undefined && secret !== ''))];
}

type Credential = Pick<UpstreamConfig, CredentialField | 'identity'>;

function credentialSecrets({ api_key, access_key, secret_key, identity }: Credential): (string | undefined)[] {
  const fields: Readonly<Record<string, string | undefined>> = identity ?? {};
  return [api_key, access_key, secret_key].concat(IDENTITY_SECRETS.map((field) => fields[field]));
}

/** Returns the value. For `Bearer abc`, also returns `abc`, because a vendor may repeat the token alone. */
function headerSecrets(value: string): string[] {
  return [value, value.slice(value.lastIndexOf(' ') + 1)].filter((text) => text.length >= MIN_LENGTH);
}

/** Returns the password of a URL, as written and decoded. */
function urlSecrets(url = ''): string[] {
  const parsed = URL.parse(url);
  const passwords = [parsed?.password ?? '', parsed?.searchParams.get('password') ?? ''];
  return passwords.flatMap((text) => [text, decode(text)]).filter((text) => text.length >= MIN_LENGTH);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
