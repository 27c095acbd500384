import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

type Args = (string | number)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    filesCreate(prefix: string, ...args: Args): Result<'created' | 'quota' | 'gone', Context>;
    filesRemove(prefix: string, ...args: Args): Result<number, Context>;
    filesPin(prefix: string, ...args: Args): Result<string | null, Context>;
    filesList(prefix: string, ...args: Args): Result<(string | null)[][], Context>;
    filesSearch(prefix: string, ...args: Args): Result<[next: string, files: (string | null)[][]], Context>;
    filesExpire(prefix: string, ...args: Args): Result<number, Context>;
    filesOpenUpload(prefix: string, ...args: Args): Result<'created' | 'quota', Context>;
    filesAddPart(prefix: string, ...args: Args): Result<PartResult, Context>;
    filesComplete(prefix: string, ...args: Args): Result<[CompletionResult, string, string?], Context>;
    filesClaimCopy(prefix: string, ...args: Args): Result<['copy' | 'claimed' | 'busy', string], Context>;
    filesRecordCopy(prefix: string, ...args: Args): Result<null, Context>;
    filesChangeClaim(prefix: string, ...args: Args): Result<null, Context>;
    filesForgetCopy(prefix: string, ...args: Args): Result<null, Context>;
    filesClaimAbandoned(prefix: string, ...args: Args): Result<string[], Context>;
    filesCancel(prefix: string, ...args: Args): Result<'cancelled' | 'missing' | 'ended', Context>;
  }
}

export type PartResult = 'added' | 'missing' | 'ended' | 'size' | 'parts' | 'quota' | 'gone';
type CompletionResult = 'completed' | 'size' | 'part' | 'missing' | 'ended';

const load = scriptLoader(new URL('lua/', import.meta.url));
const SCRIPTS = {
  filesCreate: load('create-file'),
  filesRemove: load('remove-file'),
  filesPin: load('pin-file'),
  filesList: load('list-files'),
  filesSearch: load('search-files'),
  filesExpire: load('expire-files'),
  filesOpenUpload: load('open-upload'),
  filesAddPart: load('add-part'),
  filesComplete: load('complete-upload'),
  filesClaimCopy: load('claim-copy'),
  filesRecordCopy: load('record-copy'),
  filesChangeClaim: load('change-claim'),
  filesForgetCopy: load('forget-copy'),
  filesClaimAbandoned: load('claim-abandoned'),
  filesCancel: load('cancel-upload'),
};

/** Defines the scripts of files as commands of a connection. */
export function defineFileScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
}
