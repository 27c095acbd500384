import { defineScripts, scriptLoader } from '@sluice/redis-scripts';
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
const SCRIPTS = {
  webhooksClaim: load('claim'),
  webhooksEndForwarding: load('end-forwarding'),
  webhooksRecordOutcome: load('record-outcome'),
  webhooksRedeliver: load('redeliver'),
  webhooksChange: load('change'),
  webhooksDisableGone: load('disable-gone'),
  webhooksRotate: load('rotate'),
  webhooksCreateSecret: load('create-secret'),
  webhooksMoveToHost: load('move-to-host'),
  webhooksTest: load('test'),
};
const REGISTER = load('register');

/** Defines the webhook scripts as commands of a connection. */
export function defineWebhookScripts(redis: Redis): void {
  defineScripts(redis, SCRIPTS);
  redis.defineCommand('webhooksRegister', { numberOfKeys: 2, lua: REGISTER });
}
