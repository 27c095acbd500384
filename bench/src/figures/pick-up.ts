import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { request } from 'undici';
import { connectRedis } from '../measure/connect-redis.ts';
import { BARE_QUEUE } from '../peers/bare-queue.ts';
import type { Row } from '../measure/report.ts';
import { BENCH_KEY, PROMPT, type Stage, params } from '../measure/stage.ts';
import { median, type Spread, spreadOf } from '../measure/statistics.ts';

/** Pause between tasks, which is long enough for the worker to become idle. */
const PAUSE_MS = 40;
const WARM_UP = 30;
const MAX_P50_MS = 1.5;

/** Measures how long a new task waits until an idle worker picks it up. */
export async function measurePickUp(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const count = WARM_UP + (quick ? 60 : 250);
  const runs: Record<'bullmq' | 'engine' | 'sluice', Spread>[] = [];
  for (let round = 0; round < rounds; round++) {
    const bullmq = await barePickUp(stage, count);
    const engine = await enginePickUp(stage, count);
    const sluice = await sluicePickUp(stage, count);
    runs.push({ bullmq, engine, sluice });
  }
  const ms = (subject: 'bullmq' | 'engine' | 'sluice') =>
    `${median(runs.map((run) => run[subject].p50)).toFixed(1)} / ${median(runs.map((run) => run[subject].p99)).toFixed(1)} ms`;
  const engineP50 = median(runs.map((run) => run.engine.p50));
  return [
    {
      figure: 'pick-up by an idle worker, from `submit()` to the submission, p50 / p99',
      sluice: ms('engine'),
      bullmq: ms('bullmq'),
      reached: `${engineP50.toFixed(1)} ms`,
      goal: `p50 ≤ ${MAX_P50_MS} ms`,
      ok: engineP50 <= MAX_P50_MS,
      raw: { runs },
    },
    {
      figure: "– from the client's POST to the submission at the vendor, p50 / p99",
      sluice: ms('sluice'),
      reached: `${median(runs.map((run) => run.sluice.p50)).toFixed(1)} ms`,
      raw: {},
    },
  ];
}

async function barePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  const worker = await stage.start('bare-bullmq');
  const connection = connectRedis(stage.redisUrl);
  const queue = new Queue(BARE_QUEUE, { connection });
  await worker.call('startPickingUp');
  const startTimes = await spaced(count, async () => {
    const job = await queue.add('step', {}, { removeOnComplete: true });
    return job.id ?? '';
  });
  const spread = spreadOf(delays(startTimes, await worker.call('pickedUp')));
  await queue.close();
  connection.disconnect();
  await worker.stop();
  return spread;
}

async function enginePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  const worker = await stage.start('scripted-worker');
  await worker.call('setInterval', 600_000);
  const engine = await stage.openEngine();
  const startTimes = await spaced(count, async () => (await engine.submit(params())).task.id);
  const spread = spreadOf(delays(startTimes, await worker.call('submitted')));
  await engine.close();
  await worker.stop();
  return spread;
}

async function sluicePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  await stage.vendor.call('setInterval', 600_000);
  const [api, worker] = await Promise.all([stage.start('api'), stage.start('worker')]);
  const startTimes = await spaced(count, async () => {
    const { body } = await request(`${api.url}/v1/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'endless', prompt: PROMPT }),
    });
    return ((await body.json()) as { id: string }).id; // The cast is safe because the API returns a video object.
  });
  const spread = spreadOf(delays(startTimes, await stage.vendor.call('arrivals')));
  await Promise.all([api.stop(), worker.stop()]);
  return spread;
}

/** Creates tasks one after the other. Returns each task's start time by id, in order of creation. */
async function spaced(count: number, create: () => Promise<string>): Promise<Map<string, bigint>> {
  const startTimes = new Map<string, bigint>();
  for (let i = 0; i < count; i++) {
    const at = process.hrtime.bigint();
    startTimes.set(await create(), at);
    await sleep(PAUSE_MS);
  }
  await sleep(500);
  return startTimes;
}

/**
 * Returns the delay of each task from its start to its arrival, in milliseconds. Excludes the warm-up. All processes
 * read the same monotonic clock.
 */
function delays(startTimes: ReadonlyMap<string, bigint>, arrived: Record<string, string>): number[] {
  return [...startTimes].slice(WARM_UP).map(([id, at]) => {
    const arrival = arrived[id];
    if (arrival === undefined) throw new Error(`${id} was not picked up`);
    return Number(BigInt(arrival) - at) / 1e6;
  });
}
