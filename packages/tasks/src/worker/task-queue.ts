import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';

/** Name of all jobs. A job is a wake-up for the task whose id is the job's id. */
const STEP = 'step';

export function queueName(account: string): string {
  return `tasks_${account}`;
}

/** One queue per upstream account. A lost or doubled job affects only the time of the next step. */
export class TaskQueues {
  readonly #redis: Redis;
  readonly #keys: Keyspace;
  readonly #queues = new Map<string, Queue>();
  readonly #onError: (error: Error) => void;

  constructor(redis: Redis, keys: Keyspace, onError: (error: Error) => void) {
    this.#redis = redis;
    this.#keys = keys;
    this.#onError = onError;
  }

  /** Enqueues a step of the task. An existing job stays unchanged. */
  async wake(account: string, id: string): Promise<void> {
    await this.#queue(account).add(STEP, {}, { jobId: id });
  }

  /** Runs a delayed step now. */
  async promote(account: string, id: string): Promise<void> {
    await this.#queue(account)
      .getBackend()
      .promote(id)
      .catch(() => undefined); // not delayed: it is running, waiting, or does not exist
  }

  /**
   * Restores a wake-up. BullMQ ignores a job with an existing id, so the state is checked. Returns whether it changed.
   */
  async revive(account: string, id: string): Promise<boolean> {
    const queue = this.#queue(account);
    const state = await queue.getJobState(id);
    switch (state) {
      case 'active':
      case 'waiting':
      case 'prioritized':
        return false;
      case 'delayed':
        await this.promote(account, id);
        return true;
      case 'completed':
      case 'failed':
      case 'waiting-children':
        await queue.remove(id);
        await this.wake(account, id);
        return true;
      case 'unknown':
        await this.wake(account, id);
        return true;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close().catch(() => undefined)));
  }

  #queue(account: string): Queue {
    const known = this.#queues.get(account);
    if (known) return known;
    const queue = new Queue(queueName(account), {
      connection: this.#redis,
      prefix: this.#keys.queuePrefix,
      skipWaitingForReady: true,
      skipVersionCheck: true,
      streams: { events: { maxLen: 100 } },
      defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
    });
    queue.on('error', this.#onError);
    this.#queues.set(account, queue);
    return queue;
  }
}
