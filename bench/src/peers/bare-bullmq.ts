import { DelayedError, type Job, Queue, Worker } from 'bullmq';
import { Agent, request } from 'undici';
import { connectRedis } from '../measure/connect-redis.ts';
import { respondToRequests, announceReady } from '../subjects/requests.ts';
import { type Spread, spreadOf } from '../measure/statistics.ts';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { BARE_QUEUE } from './bare-queue.ts';

/** Uses BullMQ as its docs describe, without task records, checks, or a vendor. */
const connection = connectRedis(process.env.REDIS_URL ?? '');
const queue = new Queue(BARE_QUEUE, { connection, defaultJobOptions: { removeOnComplete: true, removeOnFail: true } });

const agent = new Agent({ pipelining: 1 });
const JITTER = 0.15;
let steps = 0;
let lateness: number[] = [];
const dueAt = new Map<string, number>();
const pickedUp: Record<string, string> = {};

/** The argument of the `startSteps` handler. */
export interface StepLoad {
  jobs: number;
  /** Mean time between two steps of the same job. */
  intervalMs: number;
  concurrency: number;
  /** Whether each step polls the vendor with one bare request. */
  callsVendor?: boolean;
}

async function startSteps({ jobs, intervalMs, concurrency, callsVendor }: StepLoad): Promise<void> {
  const nextAt = (id: string): number => {
    const at = Date.now() + Math.round(intervalMs * (1 - JITTER + 2 * JITTER * Math.random()));
    dueAt.set(id, at);
    return at;
  };
  await eachConcurrently(jobs, 50, async (index) => {
    const jobId = `job_${index}`;
    const delay = Math.max(0, nextAt(jobId) - Date.now());
    await queue.add('step', {}, { jobId, delay });
  });
  const worker = new Worker(
    BARE_QUEUE,
    async (job: Job, token?: string) => {
      const id = job.id ?? '';
      steps += 1;
      lateness.push(Date.now() - (dueAt.get(id) ?? Date.now()));
      if (callsVendor) await callVendor(id);
      await job.moveToDelayed(nextAt(id), token);
      throw new DelayedError();
    },
    { connection, concurrency, maxStalledCount: 1_000_000 },
  );
  worker.on('error', () => undefined);
}

async function callVendor(id: string): Promise<void> {
  const { body } = await request(`${process.env.BENCH_TARGET}/v1/videos/endless.${id}`, { dispatcher: agent });
  await body.json();
}

async function startPickingUp(): Promise<void> {
  const worker = new Worker(
    BARE_QUEUE,
    (job: Job) => {
      pickedUp[job.id ?? ''] = String(process.hrtime.bigint());
      return Promise.resolve();
    },
    { connection, concurrency: 50 },
  );
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
}

respondToRequests({
  add: async (load) => {
    // The cast is safe because create-cost sends this object.
    const { count, concurrency, data } = load as { count: number; concurrency: number; data: unknown };
    await eachConcurrently(count, concurrency, async () => queue.add('step', data));
  },
  // The cast is safe because step-cost and poll-lateness send this object.
  startSteps: (load) => startSteps(load as StepLoad),
  startPickingUp,
  pickedUp: () => pickedUp,
  steps: () => steps,
  lateness: (): Spread => spreadOf(lateness),
  forgetLateness: () => {
    lateness = [];
  },
});
announceReady();
