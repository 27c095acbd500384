import { LIMIT_SCRIPTS } from '@sluice/limits';
import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
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
const SCRIPTS = {
  responsesCreateJob: load('create-job'),
  responsesClaimJobs: load('claim-jobs'),
  responsesRenewJob: load('renew-job'),
  responsesBeginRun: load('begin-run'),
  responsesAppendEvents: load('append-events'),
  responsesEnd: load('end-response'),
  responsesDropJob: load('drop-job'),
  responsesRemove: load('remove-response'),
};

/** Defines the scripts of jobs as commands of a connection. */
export function defineJobScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
}
