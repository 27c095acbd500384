import { createHash } from 'node:crypto';
import { scriptLoader } from '@sluice/redis-scripts';
import { Command, type Redis } from 'ioredis';
import { LIMIT_SCRIPTS } from './limit-scripts.ts';

const SCRIPT = scriptLoader(LIMIT_SCRIPTS)('limits');
const SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** The script's reply to an admission, or 1 if usage was recorded. */
export type LimitReply = readonly number[] | number;

export interface LimitBatchOptions {
  prefix: string;
  now: (() => number) | undefined;
  /** Lifetime of a reservation. */
  reservationMs: number;
}

interface Waiting {
  resolve: (reply: LimitReply) => void;
  reject: (error: unknown) => void;
}

/** Limits the time that one call of the script delays other commands. */
const MAX_ENTRIES = 64;

/**
 * Sends the entries that are added during one iteration of the event loop as one call of the script `limits`. This
 * class calls `sendCommand`, because a pipeline of ioredis costs more than the command.
 */
export class LimitBatch {
  private args: string[] = [];
  private waiting: Waiting[] = [];
  private immediate: NodeJS.Immediate | undefined;
  private readonly redis: Redis;
  private readonly options: LimitBatchOptions;

  constructor(redis: Redis, options: LimitBatchOptions) {
    this.redis = redis;
    this.options = options;
  }

  /** Returns the script's reply to an entry. */
  send(entry: readonly string[]): Promise<LimitReply> {
    for (const arg of entry) this.args.push(arg);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (this.waiting.length === MAX_ENTRIES) this.flush();
      else this.immediate ??= setImmediate(() => this.flush());
    });
  }

  private flush(): void {
    const { prefix, now, reservationMs } = this.options;
    const args = ['1', `${prefix}budget`, prefix, String(now?.() ?? ''), String(reservationMs), ...this.args];
    const { waiting } = this;
    clearImmediate(this.immediate);
    this.immediate = undefined;
    this.args = [];
    this.waiting = [];
    void this.deliver(args, waiting);
  }

  private async deliver(args: readonly string[], waiting: readonly Waiting[]): Promise<void> {
    let replies: (LimitReply | Error)[];
    try {
      replies = await this.run(args);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of waiting.entries()) {
      const reply = replies[index];
      if (reply === undefined || reply instanceof Error) reject(reply);
      else resolve(reply);
    }
  }

  private async run(args: readonly string[]): Promise<(LimitReply | Error)[]> {
    try {
      return await this.call('evalsha', SHA, args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.call('eval', SCRIPT, args);
    }
  }

  private call(name: string, script: string, args: readonly string[]): Promise<(LimitReply | Error)[]> {
    const command = new Command(name, [script, ...args]);
    this.redis.sendCommand(command);
    // The cast is safe because the script returns one reply for each entry.
    return command.promise as Promise<(LimitReply | Error)[]>;
  }
}
