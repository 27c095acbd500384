import type { RedisIdentity } from '../schema/redis-schema.ts';
import type { Config } from '../schema/schema.ts';
import { showUrl } from './show-url.ts';

interface Address {
  host: string;
  port: number;
}

/** The tokens that replace a password. */
export interface RedisTokens {
  /** The token that is valid now. */
  current(this: void): string;
  /** Calls the listener with each further token. @returns a function that ends this */
  follow(this: void, listener: (token: string) => void): () => void;
}

/** How to reach a Redis and what to expect of it. Exactly one of `url`, `sentinel`, and `cluster` is set. */
export interface RedisSettings {
  /** `redis://`, `rediss://`, or `unix:///path/to/socket`. */
  url?: string;
  /** Replaces the user of the URL. */
  username?: string | undefined;
  password?: string | undefined;
  /** How to get `tokens`. */
  identity?: RedisIdentity | undefined;
  /** Required for connections if there is an `identity`. */
  tokens?: RedisTokens;
  /** Certificates and keys are in PEM format. */
  tls?: {
    ca?: string | undefined;
    cert?: string | undefined;
    key?: string | undefined;
    serverName?: string | undefined;
  };
  sentinel?: {
    addresses: Address[];
    /** The name of the primary. */
    name: string;
    username?: string | undefined;
    password?: string | undefined;
    tls: boolean;
  };
  /** `tag` is the hash tag of all keys, which leads to one node. It replaces the prefix of the configuration. */
  cluster?: { addresses: Address[]; tag: string };
  /** How many replicas must have a task before it is accepted, submitted, or canceled. The default is 0. */
  replicas?: number;
  /** More servers, which only have tasks. */
  shards?: RedisSettings[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws if Redis is `embedded` and `REDIS_URL`, which the launcher sets after starting the server, is not set */
export function redisSettings({ redis }: Pick<Config, 'redis'>, env: Environment): RedisSettings {
  const { username, password, identity, tls, replicas, sentinels, cluster } = redis;
  const shared: RedisSettings = {
    username,
    password,
    identity,
    ...(tls && { tls: { ca: tls.ca, cert: tls.cert, key: tls.key, serverName: tls.server_name } }),
    replicas,
  };
  if (sentinels) {
    const { sentinel_name: name = '', sentinel_username, sentinel_password, sentinel_tls } = redis;
    const sentinel = {
      addresses: sentinels.map(parseAddress),
      name,
      username: sentinel_username,
      password: sentinel_password,
      tls: sentinel_tls ?? tls !== undefined,
    };
    const shards = redis.shards?.map((primary) => ({ ...shared, sentinel: { ...sentinel, name: primary } }));
    return { ...shared, sentinel, ...(shards && { shards }) };
  }
  if (cluster) {
    const addresses = cluster.map(parseAddress);
    const shards = redis.shards?.map((tag) => ({ ...shared, cluster: { addresses, tag } }));
    return { ...shared, cluster: { addresses, tag: redis.prefix }, ...(shards && { shards }) };
  }
  const url = redis.url === 'embedded' ? env['REDIS_URL'] : redis.url;
  const shards = redis.shards?.map((other) => ({ ...shared, url: other }));
  if (url) return { ...shared, url, ...(shards && { shards }) };
  throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');
}

/**
 * Returns the numbers of the shards that a worker serves (`SLUICE_SHARDS=0,2`), or undefined for all of them. 0 is the
 * home. @throws if the variable is invalid
 */
export function servedShards({ redis }: Pick<Config, 'redis'>, env: Environment): number[] | undefined {
  const text = env['SLUICE_SHARDS'] ?? '';
  if (text === '') return undefined;
  const last = redis.shards?.length ?? 0;
  const numbers = text.split(',').map((part) => (/^\s*\d{1,2}\s*$/.test(part) ? Number(part) : last + 1));
  if (numbers.every((number) => number <= last)) return numbers;
  throw new Error(`SLUICE_SHARDS must be numbers from 0 to ${last}, separated by commas. Change it, or unset it.`);
}

/** Whether Sluice starts a private server. */
export function isEmbeddedRedis({ redis }: Pick<Config, 'redis'>): boolean {
  return redis.url === 'embedded' && !redis.sentinels && !redis.cluster;
}

/** Describes where a Redis is, without credentials. */
export function showRedis({ url, sentinel, cluster }: RedisSettings): string {
  if (sentinel) return `${sentinel.name} (Sentinel ${showAddresses(sentinel.addresses)})`;
  if (cluster) return `{${cluster.tag}} (cluster ${showAddresses(cluster.addresses)})`;
  return showUrl(url ?? '');
}

function showAddresses(addresses: readonly Address[]): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
}

function parseAddress(address: string): Address {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(colon + 1)) };
}
