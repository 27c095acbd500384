import { createHash } from 'node:crypto';
import { Command, type Redis } from 'ioredis';

/** A script with its SHA-1, by which Redis finds it. */
export interface LuaScript {
  text: string;
  sha: string;
}

export function luaScript(text: string): LuaScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/**
 * Runs a script. This function calls `sendCommand`, because a pipeline of ioredis costs more than the command.
 * @param args the number of keys, the keys, and the arguments
 */
export async function runScript(redis: Redis, { text, sha }: LuaScript, args: readonly string[]): Promise<unknown> {
  try {
    return await call(redis, 'evalsha', sha, args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return call(redis, 'eval', text, args);
  }
}

function call(redis: Redis, name: string, script: string, args: readonly string[]): Promise<unknown> {
  const command = new Command(name, [script, ...args]);
  redis.sendCommand(command);
  return command.promise;
}
