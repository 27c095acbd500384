import type { Config } from './schema.ts';

/**
 * Where a process finds Redis. `embedded` is for the launcher, which starts that server and tells the processes by
 * `REDIS_URL`.
 * @throws when Redis is embedded and no launcher has told where
 */
export function redisUrlOf(config: Pick<Config, 'redis'>, env: Readonly<Record<string, string | undefined>>): string {
  const url = config.redis.url === 'embedded' ? env['REDIS_URL'] : config.redis.url;
  if (url) return url;
  throw new Error('redis.url is `embedded`: start Sluice with `npm start`, or set REDIS_URL to a server.');
}
