import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    groupsCreate(root: string, ...args: Args): Result<CreateResult, Context>;
    groupsClaim(root: string, ...args: Args): Result<string, Context>;
    groupsBeginItem(root: string, ...args: Args): Result<'begun' | 'done' | 'lost', Context>;
    groupsRecordItem(root: string, ...args: Args): Result<number, Context>;
    groupsRenew(root: string, ...args: Args): Result<number, Context>;
    groupsRelease(root: string, ...args: Args): Result<number, Context>;
    groupsCancel(root: string, ...args: Args): Result<'cancelling' | 'missing' | 'ended', Context>;
    groupsRetry(root: string, ...args: Args): Result<RetryResult, Context>;
    groupsList(root: string, ...args: Args): Result<string[][], Context>;
    groupsSearch(root: string, ...args: Args): Result<[string, string[][]], Context>;
    groupsRemove(root: string, ...args: Args): Result<'removed' | 'missing' | 'open', Context>;
  }
}

type CreateResult = ['created' | 'replay', string] | ['conflict' | 'limit' | 'quota'];
type RetryResult = ['retried' | 'cost', string] | ['missing' | 'cancelled' | 'nothing' | 'limit'];

const load = scriptLoader(new URL('lua/', import.meta.url));
const SCRIPTS = {
  groupsCreate: load('create'),
  groupsClaim: load('claim'),
  groupsBeginItem: load('begin-item'),
  groupsRecordItem: load('record-item'),
  groupsRenew: load('renew'),
  groupsRelease: load('release'),
  groupsCancel: load('cancel'),
  groupsRetry: load('retry'),
  groupsList: load('list'),
  groupsSearch: load('search'),
  groupsRemove: load('remove'),
};

/** Defines the scripts of groups as commands of a connection. */
export function defineGroupScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
}
