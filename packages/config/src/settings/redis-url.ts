import type { Config } from '../schema/schema.ts';

/** @throws if Redis is `embedded` and `REDIS_URL` is not set; the launcher starts the embedded server and sets it */
export function redisUrlOf(config: Pick<Config, 'redis'>, env: Readonly<Record<string, string | undefined>>): string {
  const url = config.redis.url === 'embedded' ? env['REDIS_URL'] : config.redis.url;
  if (url) return url;
  throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');
}
