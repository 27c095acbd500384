import type { RedisSettings } from '@sluice/config';
import { Redis, type RedisOptions } from 'ioredis';
import { connectionOptions, connectionUrl } from './connection-options.ts';
import { followTokens } from './tokens/follow-tokens.ts';

/**
 * Creates a client for the configured server. Every connection of the gateway to Redis is created here.
 * @throws Error if the settings have an identity whose tokens were not opened
 */
export function createRedis(settings: RedisSettings, options: RedisOptions): Redis {
  const { identity, tokens } = settings;
  if (identity && !tokens) throw new Error('The settings of Redis have no tokens. Call signInToRedis() first.');
  const url = connectionUrl(settings);
  const all = { ...connectionOptions(settings), ...(tokens && { password: tokens.current() }), ...options };
  const redis = url === undefined ? new Redis(all) : new Redis(url, all);
  return tokens ? followTokens(redis, tokens) : redis;
}
