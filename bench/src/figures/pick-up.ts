import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { request } from 'undici';
import { connectRedis } from '../connect-redis.ts';
import { BARE_QUEUE } from '../peers/bare-queue.ts';
import type { Row } from '../report.ts';
import { BENCH_KEY, PROMPT, type Stage, params } from '../stage.ts';
import { median, type Spread, spreadOf } from '../statistics.ts';

/** Pause between tasks, long enough for the worker to become idle. */
const PAUSE_MS = 40;
const WARM_UP = 30;

/** Measures how long a new task waits for an idle worker. */
export async function measurePickUp(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const count = WARM_UP + (quick ? 60 : 250);
  const runs: Record<'bullmq' | 'engine' | 'whole', Spread>[] = [];
  for (let round = 0; round < rounds; round++) {
    const bullmq = await barePickUp(stage, count);
    const engine = await enginePickUp(stage, count);
    const whole = await wholePickUp(stage, count);
    runs.push({ bullmq, engine, whole });
  }
  const ms = (subject: 'bullmq' | 'engine' | 'whole') =>
    `${median(runs.map((run) => run[subject].p50)).toFixed(1)} / ${median(runs.map((run) => run[subject].p99)).toFixed(1)} ms`;
  const engineP50 = median(runs.map((run) => run.engine.p50));
  return [
    {
      figure: 'pick-up by an idle worker, from `submit()` to the submission, p50 / p99',
      sluice: ms('engine'),
      bullmq: ms('bullmq'),
      reached: `${engineP50.toFixed(1)} ms`,
      goal: 'p50 ≤ 3 ms',
      ok: engineP50 <= 3,
      raw: { runs },
    },
    {
      figure: "– from the client's POST to the submission at the vendor, p50 / p99",
      sluice: ms('whole'),
      reached: `${median(runs.map((run) => run.whole.p50)).toFixed(1)} ms`,
      raw: {},
    },
  ];
}

async function barePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  const worker = await stage.start('bare-bullmq');
  const connection = connectRedis(stage.redisUrl);
  const queue = new Queue(BARE_QUEUE, { connection });
  await worker.ask('startPickingUp');
  const begun = await spaced(count, async () => {
    const job = await queue.add('step', {}, { removeOnComplete: true });
    return job.id ?? '';
  });
  const spread = spreadOf(delays(begun, await worker.ask('pickedUp')));
  await queue.close();
  connection.disconnect();
  await worker.stop();
  return spread;
}

async function enginePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  const worker = await stage.start('scripted-worker');
  await worker.ask('setInterval', 600_000);
  const engine = await stage.openEngine();
  const begun = await spaced(count, async () => (await engine.submit(params())).task.id);
  const spread = spreadOf(delays(begun, await worker.ask('submitted')));
  await engine.close();
  await worker.stop();
  return spread;
}

async function wholePickUp(stage: Stage, count: number): Promise<Spread> {
  await stage.configure();
  await stage.vendor.ask('setInterval', 600_000);
  const [api, worker] = await Promise.all([stage.start('api'), stage.start('worker')]);
  const begun = await spaced(count, async () => {
    const { body } = await request(`${api.url}/v1/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'endless', prompt: PROMPT }),
    });
    return ((await body.json()) as { id: string }).id; // the API's video object
  });
  const spread = spreadOf(delays(begun, await stage.vendor.ask('arrivals')));
  await Promise.all([api.stop(), worker.stop()]);
  return spread;
}

/** Creates tasks one after the other. Returns each task's start time by id, in order. */
async function spaced(count: number, create: () => Promise<string>): Promise<Map<string, bigint>> {
  const begun = new Map<string, bigint>();
  for (let i = 0; i < count; i++) {
    const at = process.hrtime.bigint();
    begun.set(await create(), at);
    await sleep(PAUSE_MS);
  }
  await sleep(500);
  return begun;
}

/** Milliseconds between the two times of each task, without warm-up. The monotonic clock is shared by all processes. */
function delays(begun: ReadonlyMap<string, bigint>, arrived: Record<string, string>): number[] {
  return [...begun].slice(WARM_UP).map(([id, at]) => {
    const arrival = arrived[id];
    if (arrival === undefined) throw new Error(`${id} was not picked up`);
    return Number(BigInt(arrival) - at) / 1e6;
  });
}
