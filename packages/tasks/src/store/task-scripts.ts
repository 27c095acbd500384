import { LIMIT_SCRIPTS } from '@sluice/limits';
import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
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
const SCRIPTS = {
  sluiceAdmit: load('admit'),
  sluiceMove: load('move'),
  sluiceKeepPolling: load('keep-polling'),
  sluiceCapOwners: load('cap-owners'),
  sluicePauseOwner: load('pause-owner'),
  sluiceDispatchAll: load('dispatch-all'),
  sluiceStoreInputs: load('store-inputs'),
  sluiceReleaseInputs: load('release-inputs'),
  sluicePurge: load('purge'),
};

/** Defines the task scripts as commands of a connection. */
export function defineTaskScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
}
