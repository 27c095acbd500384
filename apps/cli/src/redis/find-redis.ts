import { type Config, isEmbeddedRedis, type RedisSettings, redisSettings } from '@sluice/config';
import { findRunningSocket } from '@sluice/embedded-redis';
import { shortenPath } from '../terminal/shorten-path.ts';

/** Redis is unreachable. The message says what to do. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/**
 * Returns the configured Redis, or of the private Redis that `sluice start` runs in the data folder.
 * @throws {UnreachableError} if no private Redis runs there
 */
export async function findRedis(config: Config, process: NodeJS.Process): Promise<RedisSettings> {
  const { dataDir } = config;
  if (!isEmbeddedRedis(config) || process.env['REDIS_URL']) return redisSettings(config, process.env);
  const socket = await findRunningSocket(dataDir);
  if (socket !== undefined) return redisSettings(config, { REDIS_URL: `unix://${socket}` });
  const where = shortenPath(dataDir, process.cwd());
  throw new UnreachableError(
    `No Sluice with a private Redis runs on ${where}. Start it with \`npm start\`, or set REDIS_URL to the Redis that it uses.`,
  );
}
