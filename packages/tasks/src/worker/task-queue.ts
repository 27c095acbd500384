import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Keyspace } from '../store/keyspace.ts';

/** The name of all jobs. A job wakes a worker for the task whose id is the job's id. */
const STEP = 'step';

export function queueName(account: string): string {
  return `tasks_${account}`;
}

/** One queue per upstream account. A lost or duplicate job affects only the time of the next step. */
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

  /** Adds a job for the task's next step. An existing job is not changed. */
  async wake(account: string, id: string): Promise<void> {
    await this.#queue(account).add(STEP, {}, { jobId: id });
  }

  /** Runs a delayed job now. */
  async promote(account: string, id: string): Promise<void> {
    await this.#queue(account)
      .getBackend()
      .promote(id)
      .catch(() => undefined); // The job is not delayed, because it is running, waiting, or missing.
  }

  /**
   * Restores a lost wake-up, or runs a delayed one now. Checks the job's state first, because BullMQ ignores a new job
   * with an existing id. Returns false if the job is already waiting or running.
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
