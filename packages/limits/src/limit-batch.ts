import { scriptLoader } from '@sluice/redis-scripts';
import type { Redis } from 'ioredis';
import { LIMIT_SCRIPTS } from './limit-scripts.ts';
import { luaScript, runScript } from './run-script.ts';

const SCRIPT = luaScript(scriptLoader(LIMIT_SCRIPTS)('limits'));

/** The script's reply to an admission; 1 if usage was recorded, or 0 for a repetition. */
export type LimitReply = readonly number[] | number;

export interface LimitBatchOptions {
  prefix: string;
  now: (() => number) | undefined;
  /** Lifetime of a reservation. */
  reservationMs: number;
  /** Maximum length of the ledger's stream. */
  maxLedgerEntries: number;
}

interface Waiting {
  resolve: (reply: LimitReply) => void;
  reject: (error: unknown) => void;
}

/** Limits the time that one call of the script delays other commands. */
const MAX_ENTRIES = 64;

/** Sends the entries that are added during one iteration of the event loop as one call of the script `limits`. */
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
    const { prefix, now, reservationMs, maxLedgerEntries } = this.options;
    const settings = [String(now?.() ?? ''), String(reservationMs), String(maxLedgerEntries)];
    const args = ['1', `${prefix}budget`, prefix, ...settings, ...this.args];
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
      // The cast is safe because the script returns one reply for each entry.
      replies = (await runScript(this.redis, SCRIPT, args)) as (LimitReply | Error)[];
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
}
