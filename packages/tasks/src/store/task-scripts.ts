import { LIMIT_SCRIPTS } from '@sluice/limits';
import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    sluiceAdmit(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceMove(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceKeepPolling(key: string, ...args: (string | number)[]): Result<number, Context>;
    sluiceCapOwners(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluicePauseOwner(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceDispatchAll(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceStoreInputs(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluiceReleaseInputs(key: string, ...args: (string | number)[]): Result<string[], Context>;
    sluicePurge(key: string, ...args: (string | number)[]): Result<number, Context>;
  }
}

/** Folders of the task scripts and of the scripts they include. */
export const TASK_SCRIPTS: readonly URL[] = [new URL('lua/', import.meta.url), LIMIT_SCRIPTS];

const load = scriptLoader(...TASK_SCRIPTS);
const ADMIT = load('admit');
const MOVE = load('move');
const KEEP_POLLING = load('keep-polling');
const CAP_OWNERS = load('cap-owners');
const PAUSE_OWNER = load('pause-owner');
const DISPATCH_ALL = load('dispatch-all');
const STORE_INPUTS = load('store-inputs');
const RELEASE_INPUTS = load('release-inputs');
const PURGE = load('purge');

/** Defines the task scripts as commands of a connection. */
export function defineTaskScripts(redis: Redis): void {
  redis.defineCommand('sluiceAdmit', { numberOfKeys: 1, lua: ADMIT });
  redis.defineCommand('sluiceMove', { numberOfKeys: 1, lua: MOVE });
  redis.defineCommand('sluiceKeepPolling', { numberOfKeys: 1, lua: KEEP_POLLING });
  redis.defineCommand('sluiceCapOwners', { numberOfKeys: 1, lua: CAP_OWNERS });
  redis.defineCommand('sluicePauseOwner', { numberOfKeys: 1, lua: PAUSE_OWNER });
  redis.defineCommand('sluiceDispatchAll', { numberOfKeys: 1, lua: DISPATCH_ALL });
  redis.defineCommand('sluiceStoreInputs', { numberOfKeys: 1, lua: STORE_INPUTS });
  redis.defineCommand('sluiceReleaseInputs', { numberOfKeys: 1, lua: RELEASE_INPUTS });
  redis.defineCommand('sluicePurge', { numberOfKeys: 1, lua: PURGE });
}
