import { LIMIT_SCRIPTS } from '@sluice/limits';
import { scriptLoader } from '@sluice/redis-scripts';
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
    batchesClaim(root: string, ...args: Args): Result<string[], Context>;
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
const COMMANDS = {
  batchesCreate: { numberOfKeys: 1, lua: load('create') },
  batchesList: { numberOfKeys: 1, lua: load('list') },
  batchesSearch: { numberOfKeys: 1, lua: load('search') },
  batchesCancel: { numberOfKeys: 1, lua: load('cancel') },
  batchesChange: { numberOfKeys: 1, lua: load('change') },
  batchesRemove: { numberOfKeys: 1, lua: load('remove') },
  batchesClaim: { numberOfKeys: 1, lua: load('claim') },
  batchesRenew: { numberOfKeys: 1, lua: load('renew') },
  batchesRelease: { numberOfKeys: 1, lua: load('release') },
  batchesAddSegments: { numberOfKeys: 1, lua: load('add-segments') },
  batchesStart: { numberOfKeys: 1, lua: load('start') },
  batchesFail: { numberOfKeys: 1, lua: load('fail') },
  batchesBeginLine: { numberOfKeys: 1, lua: load('begin-line') },
  batchesFinishLine: { numberOfKeys: 1, lua: load('finish-line') },
  batchesRevokeLine: { numberOfKeys: 1, lua: load('revoke-line') },
  batchesEndSegment: { numberOfKeys: 1, lua: load('end-segment') },
  batchesComplete: { numberOfKeys: 1, lua: load('complete') },
  batchesSetVendor: { numberOfKeys: 1, lua: load('set-vendor') },
  batchesAddResults: { numberOfKeys: 1, lua: load('add-results') },
  batchesEndVendor: { numberOfKeys: 1, lua: load('end-vendor') },
};

/** Defines the scripts of batches as commands of a connection. */
export function defineBatchScripts(redis: Redis): void {
  for (const [name, definition] of Object.entries(COMMANDS)) redis.defineCommand(name, definition);
}
