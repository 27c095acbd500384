import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { type Row, times } from '../measure/report.ts';
import { BENCH_KEY, params, PROMPT, type Stage } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import { median, type Spread, spreadOf } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';

const POLICIES = ['everysec', 'always'] as const;
type Policy = (typeof POLICIES)[number];

const CONCURRENT = 50;
/** The value of `polling.min_ms` in the stage. It is so short that the worker is never idle. */
const INTERVAL_MS = 100;

interface Load {
  tasks: number;
  creates: number;
  single: number;
  windowMs: number;
}

/** One measurement with one sync policy. */
interface Run {
  singleCreates: Spread;
  singleReads: Spread;
  createsPerSecond: number;
  manyCreates: Spread;
  pollsPerSecond: number;
  pickUp: Spread;
}

/** Compares two Redis settings: syncing each write to disk before the reply, and syncing every second. */
export async function measureAppendSync(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const load: Load = quick
    ? { tasks: 200, creates: 500, single: 50, windowMs: 2_000 }
    : { tasks: 1_000, creates: 5_000, single: 300, windowMs: 8_000 };
  const runs: Record<Policy, Run>[] = [];
  for (let round = 0; round < rounds; round++) {
    const everysec = await measure(stage, 'everysec', load);
    runs.push({ everysec, always: await measure(stage, 'always', load) });
  }
  const disk = await diskSyncs(stage);
  const row = (figure: string, of: (run: Run) => number, show: (run: Run) => string): Row => ({
    figure,
    sluice: POLICIES.map(
      (policy) =>
        `${policy} ${show(
          middle(
            runs.map((run) => run[policy]),
            of,
          ),
        )}`,
    ).join(', '),
    reached: times(median(runs.map((run) => of(run.always) / of(run.everysec)))),
    raw: {},
  });
  const spread = (of: (run: Run) => Spread) => (run: Run) => `${of(run).p50.toFixed(1)} / ${of(run).p99.toFixed(1)} ms`;
  const latency = (figure: string, of: (run: Run) => Spread) => row(figure, (run) => of(run).p50, spread(of));
  const rate = (figure: string, of: (run: Run) => number) => row(figure, of, (run) => `${of(run).toFixed(0)}/s`);
  return [
    { figure: 'one sync of 4 KiB to the disk, p50 / p99', sluice: showSpread(disk), reached: '–', raw: { disk, runs } },
    latency('create, one at a time, p50 / p99', (run) => run.singleCreates),
    latency(`create, ${CONCURRENT} at once, p50 / p99`, (run) => run.manyCreates),
    rate(`creates of one API process, ${CONCURRENT} at once`, (run) => run.createsPerSecond),
    latency('read of a task, one at a time, p50 / p99', (run) => run.singleReads),
    latency('pick-up of a new task by an idle worker, p50 / p99', (run) => run.pickUp),
    rate('poll steps of one busy worker', (run) => run.pollsPerSecond),
  ];
}

function showSpread({ p50, p99 }: Spread): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`;
}

/** Returns the run with the median value. */
function middle(runs: readonly Run[], of: (run: Run) => number): Run {
  const sorted = runs.toSorted((a, b) => of(a) - of(b));
  const run = sorted[Math.floor(sorted.length / 2)];
  if (!run) throw new Error('no rounds ran');
  return run;
}

async function measure(stage: Stage, policy: Policy, load: Load): Promise<Run> {
  await stage.configure({ maxSubmitting: 1_000_000 });
  await stage.redis.config('SET', 'appendfsync', policy);
  const api = await stage.start('api');
  const requests = await measureRequests(api, load);
  await api.stop();
  return { ...requests, ...(await measureWorker(stage, load)) };
}

async function measureRequests(api: Subject, { creates, single }: Load) {
  const client = new Agent({ connections: CONCURRENT, pipelining: 1 });
  const ids: string[] = [];
  const create = () => timed(async () => void ids.push((await send(client, 'POST', `${api.url}/v1/videos`)).id));
  await eachConcurrently(creates / 10, CONCURRENT, create); // Warm-up.

  const singleCreates = await inTurn(single, create);
  const many: number[] = [];
  const elapsedMs = await timed(() =>
    eachConcurrently(creates, CONCURRENT, async () => void many.push(await create())),
  );
  const singleReads = await inTurn(single, (i) => timed(() => send(client, 'GET', `${api.url}/v1/videos/${ids[i]}`)));
  await client.close();
  return { singleCreates, singleReads, manyCreates: spreadOf(many), createsPerSecond: (creates / elapsedMs) * 1_000 };
}

async function measureWorker(stage: Stage, { tasks, single, windowMs }: Load) {
  await stage.configure({ maxSubmitting: 40 });
  const worker = await stage.start('scripted-worker');
  const engine = await stage.openEngine();
  await worker.call('setInterval', 600_000);
  const begun = new Map<string, bigint>();
  await inTurn(single, async () => {
    const at = process.hrtime.bigint();
    begun.set((await engine.submit(params())).task.id, at);
    await sleep(20);
    return 0;
  });
  const picked = () => worker.call<Record<string, string>>('submitted');
  await until('all tasks are picked up', async () => Object.keys(await picked()).length >= single, 60_000);
  const arrived = await picked();
  const pickUp = spreadOf([...begun].map(([id, at]) => Number(BigInt(arrived[id] ?? 0) - at) / 1e6));

  await worker.call('setInterval', INTERVAL_MS);
  await eachConcurrently(tasks, CONCURRENT, () => engine.submit(params()));
  const polling = single + tasks;
  await until('all tasks are polled', async () => (await engine.stats()).tasks['in_progress'] === polling, 60_000);
  await sleep(windowMs / 4);
  const before = await worker.call<number>('polls');
  const elapsedMs = await timed(() => sleep(windowMs));
  const polls = (await worker.call<number>('polls')) - before;
  await engine.close();
  await worker.stop();
  return { pickUp, pollsPerSecond: (polls / elapsedMs) * 1_000 };
}

async function inTurn(count: number, work: (i: number) => Promise<number>): Promise<Spread> {
  const values: number[] = [];
  for (let i = 0; i < count; i++) values.push(await work(i));
  return spreadOf(values);
}

/** Returns the duration in milliseconds. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function send(dispatcher: Agent, method: 'GET' | 'POST', url: string): Promise<{ id: string }> {
  const body = method === 'POST' ? JSON.stringify({ model: 'endless', prompt: PROMPT }) : null;
  const headers = {
    authorization: `Bearer ${BENCH_KEY}`,
    ...(body !== null && { 'content-type': 'application/json' }),
  };
  const response = await request(url, { dispatcher, method, headers, body });
  if (response.statusCode !== 200) throw new Error(`${method} returned ${response.statusCode}`);
  return (await response.body.json()) as { id: string }; // The cast is safe because the API returns a video object.
}

async function diskSyncs(stage: Stage): Promise<Spread> {
  await using file = await open(path.join(stage.dir, 'sync'), 'w');
  const block = Buffer.alloc(4_096, 1);
  return await inTurn(200, () =>
    timed(async () => {
      await file.write(block);
      await file.datasync();
    }),
  );
}
