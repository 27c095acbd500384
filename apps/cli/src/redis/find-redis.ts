import type { Config } from '@sluice/config';
import { findRunningSocket } from '@sluice/embedded-redis';
import { shortenPath } from '../terminal/shorten-path.ts';

/** Redis is unreachable. The message says what to do. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/**
 * Returns the URL of the configured Redis, or of the private Redis that `sluice start` runs in the data folder.
 * @throws {UnreachableError} if no private Redis runs there
 */
export async function findRedis({ redis, dataDir }: Config, process: NodeJS.Process): Promise<string> {
  if (redis.url !== 'embedded') return redis.url;
  const configuredUrl = process.env['REDIS_URL'];
  if (configuredUrl) return configuredUrl;
  const socket = await findRunningSocket(dataDir);
  if (socket !== undefined) return `unix://${socket}`;
  const where = shortenPath(dataDir, process.cwd());
  throw new UnreachableError(
    `No Sluice with a private Redis runs on ${where}. Start it with \`npm start\`, or set REDIS_URL to the Redis that it uses.`,
  );
}
