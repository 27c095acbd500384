import { Redis } from 'ioredis';

/** Wraps a script call. @param send sends the command */
type AroundCall = (command: string, args: readonly unknown[], send: () => Promise<unknown>) => Promise<unknown>;
type Send = (...args: unknown[]) => Promise<unknown>;

/** Wraps all Lua script calls in this process. Call it before creating a client. */
export function aroundRedisCalls(around: AroundCall): void {
  // oxlint-disable-next-line typescript/unbound-method -- called below with the right `this`
  const { defineCommand } = Redis.prototype;
  Redis.prototype.defineCommand = function define(this: Redis, name, definition) {
    defineCommand.call(this, name, definition);
    // The cast is safe because ioredis has just defined this method.
    const redis = this as unknown as Record<string, Send>;
    const send = redis[name];
    if (!send) throw new Error(`ioredis no longer defines ${name} as a method.`);
    redis[name] = function sendAround(this: unknown, ...args) {
      // Pipelines inherit their client's methods. Only direct calls are wrapped.
      return this === redis ? around(name, args.flat(), () => send.apply(this, args)) : send.apply(this, args);
    };
  };
}
