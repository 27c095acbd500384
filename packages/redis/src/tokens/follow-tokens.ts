import type { RedisTokens } from '@sluice/config';
import { Redis } from 'ioredis';

/** The user of Memorystore, and of servers without users. */
const DEFAULT_USER = 'default';

/**
 * Signs a connection in again with each new token, because servers end connections whose token is too old. A further
 * connection, and each duplicate of it, which BullMQ creates, begins with the newest token.
 */
export function followTokens(redis: Redis, tokens: RedisTokens): Redis {
  const { options } = redis;
  let used = tokens.current();
  const signIn = (): void => {
    used = tokens.current();
    options.password = used;
    if (redis.status !== 'ready') return;
    // If it fails, the next token is tried, and a lost connection begins with the newest one.
    redis.auth(options.username ?? DEFAULT_USER, used).catch((error: unknown) => redis.emit('error', error));
  };
  const stop = tokens.follow(signIn);
  redis.on('ready', () => {
    if (used !== tokens.current()) signIn();
  });
  redis.on('end', stop);
  redis.duplicate = (override) =>
    followTokens(new Redis({ ...options, password: tokens.current(), ...override }), tokens);
  return redis;
}
