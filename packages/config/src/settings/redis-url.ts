import type { Config } from '../schema/schema.ts';

/** @throws if Redis is `embedded` and `REDIS_URL`, which the launcher sets after starting the server, is not set */
export function redisUrlOf(config: Pick<Config, 'redis'>, env: Readonly<Record<string, string | undefined>>): string {
  const url = config.redis.url === 'embedded' ? env['REDIS_URL'] : config.redis.url;
  if (url) return url;
  throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');
}
