import type { RedisSettings } from '@sluice/config';

/** Returns the prefix of the keys of a server. @param prefix the value of `redis.prefix` */
export function prefixOf({ cluster }: RedisSettings, prefix: string): string {
  return cluster?.tag ?? prefix;
}
