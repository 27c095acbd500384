import { LIMIT_SCRIPTS } from '@sluice/limits';
import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    batchesCreate(root: string, ...args: Args): Result<string, Context>;
    batchesList(root: string, ...args: Args): Result<string[][], Context>;
    batchesSearch(root: string, ...args: Args): Result<[string, string[][]], Context>;
    batchesCancel(root: string, ...args: Args): Result<'cancelling' | 'missing' | 'ended', Context>;
    batchesChange(root: string, ...args: Args): Result<'changed' | 'missing' | 'ended' | 'vendor', Context>;
    batchesRemove(root: string, ...args: Args): Result<'removed' | 'missing' | 'open', Context>;
    batchesClaim(root: string, ...args: Args): Result<[number, number, ...string[]], Context>;
    batchesRenew(root: string, ...args: Args): Result<string[], Context>;
    batchesRelease(root: string, ...args: Args): Result<number, Context>;
    batchesAddSegments(root: string, ...args: Args): Result<number, Context>;
    batchesStart(root: string, ...args: Args): Result<'started' | 'cancelled' | 'over_budget' | 'lost', Context>;
    batchesFail(root: string, ...args: Args): Result<number, Context>;
    batchesBeginLine(root: string, ...args: Args): Result<BeginResult, Context>;
    batchesFinishLine(root: string, ...args: Args): Result<number, Context>;
    batchesRevokeLine(root: string, ...args: Args): Result<number, Context>;
    batchesEndSegment(root: string, ...args: Args): Result<number, Context>;
    batchesComplete(root: string, ...args: Args): Result<string, Context>;
    batchesSetVendor(root: string, ...args: Args): Result<VendorRecord, Context>;
    batchesAddResults(root: string, ...args: Args): Result<number, Context>;
    batchesEndVendor(root: string, ...args: Args): Result<number, Context>;
  }
}

/** Whether a line may be sent, or why not. */
type BeginResult = 'begun' | 'lost' | 'done' | 'paused' | 'expired' | 'cancelled' | 'unknown';

/** Whether the progress of a batch at its vendor was recorded, or why not. */
export type VendorRecord = 'recorded' | 'lost' | 'paused' | 'expired' | 'cancelled';

const load = scriptLoader(new URL('lua/', import.meta.url), LIMIT_SCRIPTS);
const SCRIPTS = {
  batchesCreate: load('create'),
  batchesList: load('list'),
  batchesSearch: load('search'),
  batchesCancel: load('cancel'),
  batchesChange: load('change'),
  batchesRemove: load('remove'),
  batchesClaim: load('claim'),
  batchesRenew: load('renew'),
  batchesRelease: load('release'),
  batchesAddSegments: load('add-segments'),
  batchesStart: load('start'),
  batchesFail: load('fail'),
  batchesBeginLine: load('begin-line'),
  batchesFinishLine: load('finish-line'),
  batchesRevokeLine: load('revoke-line'),
  batchesEndSegment: load('end-segment'),
  batchesComplete: load('complete'),
  batchesSetVendor: load('set-vendor'),
  batchesAddResults: load('add-results'),
  batchesEndVendor: load('end-vendor'),
};

/** Defines the scripts of batches as commands of a connection. */
export function defineBatchScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
}
