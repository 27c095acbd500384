import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A configuration in Redis. */
export interface StoredConfig {
  /** YAML. */
  text: string;
  /** A hash of the text. */
  stamp: string;
  /** Unix milliseconds. */
  storedAt: number;
}

/** The state of one process's configuration. Contains no secrets. */
export interface ProcessState {
  id: string;
  kind: 'api' | 'worker';
  host: string;
  pid: number;
  /** The version in force. See `configVersion`. */
  version: string;
  /** When it came into force, in Unix milliseconds. */
  since: number;
  /** Where it comes from. `last_good` is the copy in the data folder. */
  source: 'file' | 'redis' | 'last_good';
  /** The outcome of the last reload. `start` if there was none. */
  result: ReloadOutcome | 'start';
  /** Number of the last reload request that the process has handled. */
  request: number;
  /** Changed fields that apply after a restart. */
  restart: string[];
  /** Problems of the last reload. */
  issues: ShownIssue[];
}

/** `failed`: the configuration is valid, but this process could not apply it. */
export type ReloadOutcome = 'applied' | 'unchanged' | 'invalid' | 'failed';

export interface ShownIssue {
  /** `sluice.yaml:LINE:COL`, or the environment variable that set the value. */
  where: string;
  field: string;
  wrong: string;
  remedy: string;
}

/** A process that has ended without notice is listed for this time. */
export const STATE_TTL_MS = 10_000;

/** Shares the configuration, its version in each process, and requests to reload it, over Redis. */
export class ConfigStore {
  readonly #redis: Redis;
  readonly #config: string;
  readonly #requests: string;
  readonly #processes: string;
  readonly #now: () => number;

  /** @param prefix the value of `redis.prefix` in the configuration */
  constructor(redis: Redis, prefix: string, now: () => number = Date.now) {
    this.#redis = redis;
    this.#config = `{${prefix}}:config`;
    this.#requests = `{${prefix}}:config:requests`;
    this.#processes = `{${prefix}}:config:processes`;
    this.#now = now;
  }

  async read(): Promise<StoredConfig | undefined> {
    const { text, stamp, stored_at: storedAt } = await this.#redis.hgetall(this.#config);
    return text === undefined || stamp === undefined ? undefined : { text, stamp, storedAt: Number(storedAt) };
  }

  /** Replaces the configuration, and requests a reload of all processes. @returns the number of the request */
  async write(text: string): Promise<number> {
    const fields = { text, stamp: stampOf(text), stored_at: this.#now() };
    const replies = await this.#redis.multi().hset(this.#config, fields).incr(this.#requests).exec();
    return numberOf(replies?.[1]);
  }

  /** Requests a reload of all processes. @returns the number of the request */
  request(): Promise<number> {
    return this.#redis.incr(this.#requests);
  }

  /** Returns the number of the last request and the stamp of the stored configuration. One round trip. */
  async poll(): Promise<{ request: number; stamp: string | undefined }> {
    const [request, stamp] = await Promise.all([
      this.#redis.get(this.#requests),
      this.#redis.hget(this.#config, 'stamp'),
    ]);
    return { request: Number(request ?? 0), stamp: stamp ?? undefined };
  }

  async publish(state: ProcessState): Promise<void> {
    const until = this.#now() + STATE_TTL_MS;
    await this.#redis
      .multi()
      .set(this.#stateKey(state.id), JSON.stringify(state), 'PX', STATE_TTL_MS)
      .zadd(this.#processes, until, state.id)
      .zremrangebyscore(this.#processes, '-inf', String(this.#now() - STATE_TTL_MS))
      .exec();
  }

  async remove(id: string): Promise<void> {
    await this.#redis.multi().del(this.#stateKey(id)).zrem(this.#processes, id).exec();
  }

  /** Lists the running processes, API processes first. */
  async list(): Promise<ProcessState[]> {
    const ids = await this.#redis.zrange(this.#processes, '0', '-1');
    if (ids.length === 0) return [];
    const texts = await this.#redis.mget(ids.map((id) => this.#stateKey(id)));
    // The cast is safe because only `publish` writes these keys.
    const states = texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as ProcessState]));
    return states.toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  #stateKey(id: string): string {
    return `${this.#processes}:${id}`;
  }
}

export function stampOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function orderOf({ kind, host, pid }: ProcessState): string {
  return `${kind} ${host} ${pid}`;
}

function numberOf(reply: [error: Error | null, result: unknown] | undefined): number {
  if (!reply) throw new Error('Redis returned no reply.');
  const [error, result] = reply;
  if (error) throw error;
  return Number(result);
}
