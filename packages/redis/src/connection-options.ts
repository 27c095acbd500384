import type { RedisSettings } from '@sluice/config';
import type { RedisOptions } from 'ioredis';
import { clusterConnector } from './cluster-connector.ts';

/** A host that is down does not refuse connections. During a failover, a worker must not wait long for it. */
const NODE_CONNECT_MS = 3_000;

/** Returns how ioredis reaches the server and signs in. */
export function connectionOptions(redis: RedisSettings): RedisOptions {
  const { username, password, tls, sentinel, cluster } = redis;
  const shared: RedisOptions = {
    ...serverOf(redis),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: tlsOptions(tls) }),
  };
  if (cluster) return { ...shared, Connector: clusterConnector(cluster), connectTimeout: NODE_CONNECT_MS };
  if (!sentinel) return shared;
  return {
    ...shared,
    sentinels: sentinel.addresses.map((address) => ({ ...address })),
    name: sentinel.name,
    ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
    ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
    ...(tls && { enableTLSForSentinelMode: true }),
    ...(tls && sentinel.tls && { sentinelTLS: tlsOptions(tls) }),
    connectTimeout: NODE_CONNECT_MS,
    sentinelCommandTimeout: NODE_CONNECT_MS,
    // The detector of ioredis 6.0.0 can end a connection for good: if its message arrives while the connection resolves
    // the primary again, ioredis does not retry. Sentinels close the connections of a demoted primary themselves.
    failoverDetector: false,
  };
}

function serverOf({ url }: RedisSettings): RedisOptions {
  const path = /^unix:\/\/(\/.+)$/.exec(url ?? '')?.[1];
  return path === undefined ? {} : { path };
}

/** Returns the URL that ioredis parses. Undefined for a socket, Sentinel, and a cluster, which the options describe. */
export function connectionUrl({ url }: RedisSettings): string | undefined {
  return url === undefined || url.startsWith('unix:') ? undefined : url;
}

function tlsOptions({ ca, cert, key, serverName }: NonNullable<RedisSettings['tls']>) {
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}
