import { openRedisConnection, type RedisConnectionOptions, waitForRedis } from '@sluice/redis';
import type { Redis } from 'ioredis';
import type { Keyspace } from './keyspace.ts';
import { defineTaskScripts } from './task-scripts.ts';

/** A write was not confirmed by enough replicas. It may have been applied, and a failover may undo it. */
export class NotReplicatedError extends Error {
  override name = 'NotReplicatedError';
}

export interface ReplicatedWritesOptions {
  /** A connection that never sends a command twice, which only this class uses. */
  redis: Redis;
  keys: Pick<Keyspace, 'replicated'>;
  /** How many replicas must have a write. */
  replicas: number;
}

const WAIT_MS = 1_000;
const COMMAND_MS = 4_000;

type OpenOptions = Omit<RedisConnectionOptions, 'role' | 'pipelines'> & Pick<ReplicatedWritesOptions, 'keys'>;

/** Returns undefined if the configuration requires no replicas. */
export function openReplicatedWrites({ keys, ...connection }: OpenOptions): ReplicatedWrites | undefined {
  const { replicas = 0 } = connection.redis;
  if (replicas === 0) return undefined;
  const options = { commandTimeoutMs: COMMAND_MS, ...connection, role: 'replicated', pipelines: false } as const;
  return new ReplicatedWrites({ redis: openRedisConnection(options), keys, replicas });
}

/**
 * Writes that replicas confirm (`WAIT`) before they count as done, so that a failover to one of these replicas keeps
 * them. Concurrent writes share one confirmation.
 */
export class ReplicatedWrites {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #replicas: number;
  #closes = 0;
  #sent: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor({ redis, keys, replicas }: ReplicatedWritesOptions) {
    this.#redis = redis;
    this.#key = keys.replicated;
    this.#replicas = replicas;
    redis.on('close', () => (this.#closes += 1));
    defineTaskScripts(redis);
  }

  /** Waits for the first connection. */
  ready(timeoutMs: number): Promise<boolean> {
    return waitForRedis(this.#redis, timeoutMs);
  }

  /** @throws {NotReplicatedError} if the write may be lost in a failover; other errors as `write` throws them */
  async run<T>(write: (redis: Redis) => Promise<T>): Promise<T> {
    const closes = this.#closes;
    const result = await write(this.#redis);
    await this.#confirmed();
    // The confirmation came from another connection, and perhaps from another primary, which lacks the write.
    if (closes !== this.#closes) throw new NotReplicatedError('The connection to Redis was lost after a write.');
    return result;
  }

  close(): void {
    this.#redis.disconnect();
  }

  /** Joins the confirmation that is sent after the one in flight, because that one covers only earlier writes. */
  #confirmed(): Promise<void> {
    this.#next ??= this.#sent.then(() => {
      this.#next = undefined;
      const confirmation = this.#confirm();
      this.#sent = confirmation.catch(() => undefined);
      return confirmation;
    });
    return this.#next;
  }

  async #confirm(): Promise<void> {
    let confirmed: number;
    try {
      // `WAIT` covers the last write of its own connection. A repeated script may have written nothing.
      const marked = this.#redis.set(this.#key, Date.now());
      [, confirmed] = await Promise.all([marked, this.#redis.wait(this.#replicas, WAIT_MS)]);
    } catch (cause) {
      throw new NotReplicatedError('Redis did not confirm a write.', { cause });
    }
    if (confirmed >= this.#replicas) return;
    throw new NotReplicatedError(`Only ${confirmed} of ${this.#replicas} replicas confirmed a write.`);
  }
}
