import { Redis } from 'ioredis';

/** A call of a script in Redis: its name, its words, and what sends it. */
type AroundCall = (command: string, words: readonly unknown[], send: () => Promise<unknown>) => Promise<unknown>;
type Send = (...args: unknown[]) => Promise<unknown>;

/** Puts something around every call of a script, ours and BullMQ's, in this process. Call it before any client is made. */
export function aroundRedisCalls(around: AroundCall): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the `this` that it is meant for, below
  const { defineCommand } = Redis.prototype;
  Redis.prototype.defineCommand = function define(this: Redis, name, definition) {
    defineCommand.call(this, name, definition);
    const redis = this as unknown as Record<string, Send>; // ioredis has just made the method of that name
    const send = redis[name];
    if (!send) throw new Error(`ioredis defines ${name} in another way now`);
    redis[name] = function sendAround(this: unknown, ...words) {
      // Pipelines borrow the method from their client; it is the client's own calls that count.
      return this === redis ? around(name, words.flat(), () => send.apply(this, words)) : send.apply(this, words);
    };
  };
}
