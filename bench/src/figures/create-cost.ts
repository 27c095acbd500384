import { Agent, request } from 'undici';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { type Row, times } from '../measure/report.ts';
import { BENCH_KEY, PROMPT, type Stage } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';

const CONCURRENT = 50;
const BODY = { model: 'endless', prompt: PROMPT, seconds: '4', size: '1280x720' };

/** Measures the API's CPU time per created task, compared with a bare proxy and bare BullMQ. */
export async function measureCreateCost(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const count = quick ? 1_500 : 6_000;
  // This is the most expensive case: without a submission limit and without a worker, every create wakes a worker.
  await stage.configure({ maxSubmitting: 1_000_000 });
  const api = await stage.start('api');
  const proxy = await stage.start('bare-proxy');
  const bullmq = await stage.start('bare-bullmq');
  const client = new Agent({ connections: CONCURRENT, pipelining: 1 });
  const post = (url: string, status: number, times_: number) =>
    eachConcurrently(times_, CONCURRENT, () => create(client, url, status));
  const add = (adds: number) => bullmq.call('add', { count: adds, concurrency: CONCURRENT, data: BODY });

  const loads = {
    api: (requests: number) => post(api.url, 200, requests),
    proxy: (requests: number) => post(proxy.url, 200, requests),
    bullmq: add,
  };
  const subjects = { api, proxy, bullmq };
  const runs: Record<keyof typeof loads, number>[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const cost = async (name: keyof typeof loads) => (await subjects[name].cpuDuring(() => loads[name](count))) / count;
    const run = { proxy: await cost('proxy'), bullmq: await cost('bullmq'), api: await cost('api') };
    // The first round is a warm-up and is discarded.
    if (round > 0) runs.push(run);
  }
  await client.close();
  await Promise.all([api.stop(), proxy.stop(), bullmq.stop()]);

  const ratio = median(runs.map((run) => run.api / (run.proxy + 2 * run.bullmq)));
  const us = (name: keyof typeof loads) => `${median(runs.map((run) => run[name])).toFixed(0)} µs`;
  return [
    {
      figure: `CPU of the API per created task, ${CONCURRENT} at once; peers: one request, one add`,
      sluice: us('api'),
      bullmq: us('bullmq'),
      proxy: us('proxy'),
      reached: times(ratio),
      goal: '≤ 1× (proxy + 2 adds)',
      ok: ratio <= 1,
      raw: { runs },
    },
  ];
}

async function create(client: Agent, url: string, expected: number): Promise<void> {
  const { statusCode, body } = await request(`${url}/v1/videos`, {
    dispatcher: client,
    method: 'POST',
    headers: { authorization: `Bearer ${BENCH_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODY),
  });
  const text = await body.text();
  if (statusCode !== expected) throw new Error(`create returned ${statusCode}: ${text}`);
}
