export {
  isResponding,
  openRedisConnection,
  type RedisConnectionOptions,
  waitForRedis,
} from './open-redis-connection.ts';
export { openRedisOnce } from './open-redis-once.ts';
export { prefixOf } from './prefix-of.ts';
export { signInToRedis } from './tokens/sign-in-to-redis.ts';
export type { RedisSettings } from '@sluice/config';
