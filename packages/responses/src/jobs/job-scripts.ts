import { LIMIT_SCRIPTS } from '@sluice/limits';
import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

type Args = (string | number | Buffer)[];

declare module 'ioredis' {
  interface RedisCommander<Context> {
    responsesCreateJob(
      prefix: string,
      ...args: Args
    ): Result<['created' | 'exists' | 'replay' | 'conflict', string?], Context>;
    responsesClaimJobs(prefix: string, ...args: Args): Result<(string | number)[], Context>;
    responsesRenewJob(prefix: string, ...args: Args): Result<'renewed' | 'lost' | 'gone', Context>;
    responsesBeginRun(prefix: string, ...args: Args): Result<number, Context>;
    responsesAppendEvents(prefix: string, ...args: Args): Result<number, Context>;
    responsesEnd(prefix: string, ...args: Args): Result<[number, string?], Context>;
    responsesDropJob(prefix: string, ...args: Args): Result<number, Context>;
    responsesRemove(prefix: string, ...args: Args): Result<[number, string], Context>;
  }
}

const load = scriptLoader(new URL('lua/', import.meta.url), LIMIT_SCRIPTS);
const COMMANDS = {
  responsesCreateJob: { numberOfKeys: 1, lua: load('create-job') },
  responsesClaimJobs: { numberOfKeys: 1, lua: load('claim-jobs') },
  responsesRenewJob: { numberOfKeys: 1, lua: load('renew-job') },
  responsesBeginRun: { numberOfKeys: 1, lua: load('begin-run') },
  responsesAppendEvents: { numberOfKeys: 1, lua: load('append-events') },
  responsesEnd: { numberOfKeys: 1, lua: load('end-response') },
  responsesDropJob: { numberOfKeys: 1, lua: load('drop-job') },
  responsesRemove: { numberOfKeys: 1, lua: load('remove-response') },
};

/** Defines the scripts of jobs as commands of a connection. */
export function defineJobScripts(redis: Redis): void {
  for (const [name, definition] of Object.entries(COMMANDS)) redis.defineCommand(name, definition);
}
