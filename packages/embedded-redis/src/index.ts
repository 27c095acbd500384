export type { RedisAddress } from './query-redis.ts';
export * from './data-folder-lock.ts';
export * from './redis-not-found-error.ts';
export * from './redis-server.ts';
export * from './resolve-redis-server.ts';
export { runCommand } from './run-command.ts';
export * from './start-redis.ts';
export { startTethered } from './tethered-process.ts';
