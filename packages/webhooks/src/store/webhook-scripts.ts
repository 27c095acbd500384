import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis, Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    webhooksClaim(key: string, ...args: (string | number)[]): Result<(string | number)[], Context>;
    webhooksRecordOutcome(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksEndForwarding(lease: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRedeliver(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRegister(webhook: string, of: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksChange(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksDisableGone(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksRotate(key: string, ...args: (string | number)[]): Result<string, Context>;
    webhooksCreateSecret(key: string, ...args: (string | number)[]): Result<string[], Context>;
    webhooksMoveToHost(key: string, ...args: (string | number)[]): Result<number, Context>;
    webhooksTest(key: string, ...args: (string | number)[]): Result<string, Context>;
  }
}

const load = scriptLoader(new URL('lua/', import.meta.url));
const COMMANDS = {
  webhooksClaim: { numberOfKeys: 1, lua: load('claim') },
  webhooksEndForwarding: { numberOfKeys: 1, lua: load('end-forwarding') },
  webhooksRecordOutcome: { numberOfKeys: 1, lua: load('record-outcome') },
  webhooksRedeliver: { numberOfKeys: 1, lua: load('redeliver') },
  webhooksRegister: { numberOfKeys: 2, lua: load('register') },
  webhooksChange: { numberOfKeys: 1, lua: load('change') },
  webhooksDisableGone: { numberOfKeys: 1, lua: load('disable-gone') },
  webhooksRotate: { numberOfKeys: 1, lua: load('rotate') },
  webhooksCreateSecret: { numberOfKeys: 1, lua: load('create-secret') },
  webhooksMoveToHost: { numberOfKeys: 1, lua: load('move-to-host') },
  webhooksTest: { numberOfKeys: 1, lua: load('test') },
};

/** Defines the webhook scripts as commands of a connection. */
export function defineWebhookScripts(redis: Redis): void {
  for (const [name, definition] of Object.entries(COMMANDS)) redis.defineCommand(name, definition);
}
