import { scriptLoader } from '@sluice/redis-scripts';
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
const COMMANDS = {
  filesCreate: { numberOfKeys: 1, lua: load('create-file') },
  filesRemove: { numberOfKeys: 1, lua: load('remove-file') },
  filesPin: { numberOfKeys: 1, lua: load('pin-file') },
  filesList: { numberOfKeys: 1, lua: load('list-files') },
  filesSearch: { numberOfKeys: 1, lua: load('search-files') },
  filesExpire: { numberOfKeys: 1, lua: load('expire-files') },
  filesOpenUpload: { numberOfKeys: 1, lua: load('open-upload') },
  filesAddPart: { numberOfKeys: 1, lua: load('add-part') },
  filesComplete: { numberOfKeys: 1, lua: load('complete-upload') },
  filesClaimCopy: { numberOfKeys: 1, lua: load('claim-copy') },
  filesRecordCopy: { numberOfKeys: 1, lua: load('record-copy') },
  filesChangeClaim: { numberOfKeys: 1, lua: load('change-claim') },
  filesForgetCopy: { numberOfKeys: 1, lua: load('forget-copy') },
  filesClaimAbandoned: { numberOfKeys: 1, lua: load('claim-abandoned') },
  filesCancel: { numberOfKeys: 1, lua: load('cancel-upload') },
};

/** Defines the scripts of files as commands of a connection. */
export function defineFileScripts(redis: Redis): void {
  for (const [name, definition] of Object.entries(COMMANDS)) redis.defineCommand(name, definition);
}
