import { setTimeout as sleep } from 'node:timers/promises';
import type { StepLoad } from '../peers/bare-bullmq.ts';
import type { VendorCount } from '../peers/vendor.ts';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { microseconds as us, type Row, times } from '../measure/report.ts';
import { type Stage, params } from '../measure/stage.ts';
import { median } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';

const MAX_RATIO = 1.8;

/** CPU time per step of one run, in microseconds. */
interface StepCost {
  workerUs: number;
  redisUs: number;
}

/**
 * `bullmq` runs bare step jobs, `scripted` the engine without HTTP, and `http` the real worker. `bullmqHttp` runs bare
 * step jobs that each send one bare request.
 */
type Subject = 'bullmq' | 'scripted' | 'http' | 'bullmqHttp';

interface Load {
  tasks: number;
  intervalMs: number;
  warmUpMs: number;
  windowMs: number;
}

/** Measures the CPU time of a poll step, compared with a bare BullMQ step job at the same interval. */
export async function measureStepCost(stage: Stage): Promise<Row[]> {
  const { quick, rounds } = stage.options;
  const load: Load = quick
    ? { tasks: 400, intervalMs: 1_000, warmUpMs: 1_500, windowMs: 2_000 }
    : { tasks: 1_000, intervalMs: 1_000, warmUpMs: 6_000, windowMs: 12_000 };
  const runs: Record<Subject, StepCost>[] = [];
  for (let round = 0; round < rounds; round++) {
    const bullmq = await bareSteps(stage, load, false);
    const scripted = await engineSteps(stage, load, 'scripted-worker');
    const http = await engineSteps(stage, load, 'worker');
    const bullmqHttp = await bareSteps(stage, load, true);
    runs.push({ bullmq, scripted, http, bullmqHttp });
  }

  const of = (subject: Subject, part: keyof StepCost) => median(runs.map((run) => run[subject][part]));
  const ratio = (subject: Subject, part: keyof StepCost, peer: Subject = 'bullmq') =>
    median(runs.map((run) => run[subject][part] / run[peer][part]));
  const httpRatio = ratio('http', 'workerUs');
  const pace = `${((load.tasks / load.intervalMs) * 1_000).toLocaleString('en')}/s`;
  return [
    {
      figure: `CPU per poll step of the worker, HTTP included, at ${pace}`,
      sluice: us(of('http', 'workerUs')),
      bullmq: us(of('bullmq', 'workerUs')),
      reached: times(httpRatio),
      goal: `≤ ${MAX_RATIO}×`,
      ok: httpRatio <= MAX_RATIO,
      raw: { runs },
    },
    {
      figure: '– the same without the HTTP part',
      sluice: us(of('scripted', 'workerUs')),
      bullmq: us(of('bullmq', 'workerUs')),
      reached: times(ratio('scripted', 'workerUs')),
      raw: {},
    },
    {
      figure: '– compared with a bare step job that makes one bare `undici.request`',
      sluice: us(of('http', 'workerUs')),
      bullmq: us(of('bullmqHttp', 'workerUs')),
      reached: times(ratio('http', 'workerUs', 'bullmqHttp')),
      raw: {},
    },
    {
      figure: '– CPU per poll step of Redis',
      sluice: us(of('http', 'redisUs')),
      bullmq: us(of('bullmq', 'redisUs')),
      reached: times(ratio('http', 'redisUs')),
      raw: {},
    },
  ];
}

async function bareSteps(
  stage: Stage,
  { tasks, intervalMs, warmUpMs, windowMs }: Load,
  callsVendor: boolean,
): Promise<StepCost> {
  await stage.configure();
  const worker = await stage.start('bare-bullmq');
  await worker.call('startSteps', { jobs: tasks, intervalMs, concurrency: 50, callsVendor } satisfies StepLoad);
  await sleep(warmUpMs);
  const cost = await costPerStep(stage, worker, () => worker.call<number>('steps'), windowMs);
  await worker.stop();
  return cost;
}

async function engineSteps(stage: Stage, load: Load, program: 'worker' | 'scripted-worker'): Promise<StepCost> {
  await stage.configure({ maxSubmitting: 40 });
  const worker = await stage.start(program);
  const pacer = program === 'worker' ? stage.vendor : worker;
  await pacer.call('setInterval', load.intervalMs);
  const engine = await stage.openEngine();
  await eachConcurrently(load.tasks, 50, () => engine.submit(params()));
  await until(
    'all tasks are at the vendor',
    async () => (await engine.stats()).tasks['in_progress'] === load.tasks,
    60_000,
  );
  await sleep(load.warmUpMs);
  const steps = async () =>
    program === 'worker' ? (await stage.vendor.call<VendorCount>('count')).polls : worker.call<number>('polls');
  const cost = await costPerStep(stage, worker, steps, load.windowMs);
  await engine.close();
  await worker.stop();
  return cost;
}

async function costPerStep(
  stage: Stage,
  worker: { cpuDuring(work: () => Promise<unknown>): Promise<number> },
  steps: () => Promise<number>,
  windowMs: number,
): Promise<StepCost> {
  const [stepsBefore, redisBefore] = [await steps(), await stage.redisCpuUs()];
  const cpuUs = await worker.cpuDuring(() => sleep(windowMs));
  const [stepsAfter, redisAfter] = [await steps(), await stage.redisCpuUs()];
  const done = stepsAfter - stepsBefore;
  if (done === 0) throw new Error('no steps ran');
  return { workerUs: cpuUs / done, redisUs: (redisAfter - redisBefore) / done };
}
