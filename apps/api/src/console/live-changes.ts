import { ledgerKeys } from '@sluice/ledger';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';

/** Changes since the last report. */
export interface LiveChange {
  /** Number of new entries in lists of requests. */
  requests: number;
  /** Ids of tasks that have changed, up to {@link MAX_IDS}. */
  tasks: ReadonlySet<string>;
}

/** Reports changes to consoles. It reads nothing while no console listens. */
export interface LiveChanges {
  /** Calls `listener` after changes, at most twice a second, until the returned function is called. */
  subscribe(subscriber: Subscriber, listener: (change: LiveChange) => void): () => void;
  /** Number of subscriptions. */
  readonly size: number;
  /** Number of subscriptions of a user. */
  countOf(user: string): number;
}

export interface Subscriber {
  /** Identifies who signed in. */
  user: string;
  /** Reports only the changes of this API key; undefined for those of all keys. */
  owner: string | undefined;
}

export interface LiveChangesOptions {
  redis: Redis;
  prefix: string;
  engine: Pick<TaskEngine, 'watch' | 'findForLink'>;
  logger: Pick<Logger, 'debug'>;
}

interface Subscription extends Subscriber {
  listener: (change: LiveChange) => void;
}

const INTERVAL_MS = 500;
/** More messages or ids in one interval are ignored. Consoles also read lists without a report, only more rarely. */
const MAX_MESSAGES = 100;
const MAX_IDS = 200;
/** Owners never change, so they are looked up once. */
const MAX_KNOWN_OWNERS = 10_000;

export function createLiveChanges(options: LiveChangesOptions): LiveChanges {
  return new ChangeReader(options);
}

/** One reader of the process for all subscriptions. It adds no connection, and no blocking read. */
class ChangeReader implements LiveChanges {
  readonly #options: LiveChangesOptions;
  readonly #stream: string;
  readonly #subscriptions = new Set<Subscription>();
  readonly #owners = new Map<string, string>();
  #tasks = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #last: string | undefined;

  constructor(options: LiveChangesOptions) {
    this.#options = options;
    this.#stream = ledgerKeys(options.prefix).stored;
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  countOf(user: string): number {
    return [...this.#subscriptions].filter((one) => one.user === user).length;
  }

  subscribe(subscriber: Subscriber, listener: Subscription['listener']): () => void {
    const subscription = { ...subscriber, listener };
    this.#subscriptions.add(subscription);
    if (this.#subscriptions.size === 1) this.#start();
    return () => {
      this.#subscriptions.delete(subscription);
      if (this.#subscriptions.size === 0) this.#stop();
    };
  }

  #start(): void {
    this.#last = undefined;
    this.#unwatch = this.#options.engine.watch((id) => {
      if (this.#tasks.size < MAX_IDS) this.#tasks.add(id);
    });
    // Consoles read their lists when the stream is open, so changes from now on must not be missed.
    void this.#report();
    this.#schedule();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#tasks.clear();
    this.#owners.clear();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const ended = this.#timer;
      void this.#report().finally(() => {
        // Another subscription may have started a timer of its own.
        if (this.#timer === ended && this.#subscriptions.size > 0) this.#schedule();
      });
    }, INTERVAL_MS).unref();
  }

  async #report(): Promise<void> {
    const tasks = this.#tasks;
    this.#tasks = new Set();
    try {
      const [requests, owners] = await Promise.all([this.#readRequests(), this.#readOwners(tasks)]);
      for (const { owner, listener } of this.#subscriptions) {
        const change = changeFor(owner, { requests, tasks, owners });
        if (change.requests > 0 || change.tasks.size > 0) listener(change);
      }
    } catch (error) {
      // Redis is unavailable. Consoles read lists without a report.
      this.#options.logger.debug({ err: error }, 'changes for consoles cannot be read');
    }
  }

  /** Returns the number of new entries of each key. */
  async #readRequests(): Promise<Map<string, number>> {
    const { redis } = this.#options;
    const counts = new Map<string, number>();
    if (this.#last === undefined) {
      this.#last = (await redis.xrevrange(this.#stream, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
      return counts;
    }
    const messages = await redis.xrange(this.#stream, `(${this.#last}`, '+', 'COUNT', MAX_MESSAGES);
    for (const [id, [, json = '{}']] of messages) {
      this.#last = id;
      // The cast is safe because only workers write these messages.
      for (const [key, count] of Object.entries(JSON.parse(json) as Record<string, number>)) {
        counts.set(key, (counts.get(key) ?? 0) + count);
      }
    }
    return counts;
  }

  /** Finds the owners of tasks, but only if a holder of a key listens. */
  async #readOwners(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    if (![...this.#subscriptions].some(({ owner }) => owner !== undefined)) return this.#owners;
    if (this.#owners.size > MAX_KNOWN_OWNERS) this.#owners.clear();
    const unknown = [...ids].filter((id) => !this.#owners.has(id));
    const tasks = await Promise.all(unknown.map((id) => this.#options.engine.findForLink(id)));
    for (const task of tasks) if (task) this.#owners.set(task.id, task.ownerId);
    return this.#owners;
  }
}

function changeFor(
  owner: string | undefined,
  {
    requests,
    tasks,
    owners,
  }: {
    requests: ReadonlyMap<string, number>;
    tasks: ReadonlySet<string>;
    owners: ReadonlyMap<string, string>;
  },
): LiveChange {
  if (owner === undefined) return { requests: [...requests.values()].reduce((sum, count) => sum + count, 0), tasks };
  return {
    requests: requests.get(owner) ?? 0,
    tasks: new Set([...tasks].filter((id) => owners.get(id) === owner)),
  };
}
