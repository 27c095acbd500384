import { setTimeout as sleep } from 'node:timers/promises';
import type { StepLoad } from '../peers/bare-bullmq.ts';
import type { VendorCount } from '../peers/vendor.ts';
import { eachConcurrently } from '../measure/each-concurrently.ts';
import { mebibytes as mib, type Row } from '../measure/report.ts';
import { type Stage, params } from '../measure/stage.ts';
import type { Subject } from '../measure/start-subject.ts';
import { type Sample, slope, type Spread } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';

const INTERVAL_MS = 5_000;
/** Memory is reported as flat if it grows by less than this fraction in the second half of the window. */
const FLAT = 0.05;

interface Load {
  tasks: number;
  warmUpMs: number;
  windowMs: number;
}

/** Measures how late polls are while many tasks wait, the worker's memory over time, and the number of submissions. */
export async function measurePollLateness(stage: Stage): Promise<Row[]> {
  const load: Load = stage.options.quick
    ? { tasks: 1_000, warmUpMs: 5_500, windowMs: 4_000 }
    : { tasks: 10_000, warmUpMs: 30_000, windowMs: 90_000 };
  const peer = await bareLateness(stage, load);

  // The default settings allow 50 concurrent steps and 16 submissions.
  await stage.configure();
  await stage.vendor.call('setInterval', INTERVAL_MS);
  const worker = await stage.start('worker');
  const engine = await stage.openEngine();
  await eachConcurrently(load.tasks, 50, () => engine.submit(params()));
  const count = () => stage.vendor.call<VendorCount>('count');
  await until('all tasks are at the vendor', async () => (await count()).tasks === load.tasks, 180_000);
  await sleep(load.warmUpMs);
  await stage.vendor.call('forgetLateness');
  const memory: Sample[] = [];
  const cpuUs = await worker.cpuDuring(() => watchMemory(worker, load.windowMs, memory));
  const spread = await stage.vendor.call<Spread>('lateness');
  const seen = await count();
  await engine.close();
  await worker.stop();

  const secondHalf = memory.slice(Math.floor(memory.length / 2));
  const growth = slope(secondHalf) * 60_000;
  const growthInWindow = (growth * load.windowMs) / 120_000;
  const last = secondHalf.at(-1)?.y ?? 0;
  const title = `${load.tasks.toLocaleString('en')} tasks polled every ${INTERVAL_MS / 1_000} s by one worker`;
  return [
    {
      figure: `${title}: lateness of a poll at the vendor, p50 / p99`,
      sluice: `${spread.p50.toFixed(0)} / ${spread.p99.toFixed(0)} ms`,
      bullmq: `${peer.p50.toFixed(0)} / ${peer.p99.toFixed(0)} ms`,
      reached: `${spread.p99.toFixed(0)} ms`,
      goal: 'p99 < 1,000 ms',
      ok: spread.p99 < 1_000,
      raw: { spread, peer, busy: cpuUs / 1_000 / load.windowMs },
    },
    {
      figure: '– share of one core used by the worker',
      sluice: `${(cpuUs / 10 / load.windowMs).toFixed(0)} %`,
      reached: `${Math.round((spread.count / load.windowMs) * 1_000).toLocaleString('en')} polls/s`,
      raw: {},
    },
    {
      figure: '– memory of the worker, and its growth',
      sluice: `${mib(last)} MiB`,
      reached: `${growth < 0 ? '−' : '+'}${mib(Math.abs(growth))} MiB/min`,
      goal: 'flat',
      // The heap of a new process still grows, so a quick run cannot decide whether memory is flat.
      ...(stage.options.quick ? {} : { ok: growthInWindow < last * FLAT }),
      raw: { memory },
    },
    {
      figure: '– submissions received by the vendor',
      sluice: seen.posts.toLocaleString('en'),
      reached: seen.posts === load.tasks ? 'one per task' : `${seen.posts} for ${load.tasks}`,
      goal: 'one per task',
      ok: seen.posts === load.tasks && seen.tasks === load.tasks,
      raw: { seen },
    },
  ];
}

async function watchMemory(worker: Subject, windowMs: number, into: Sample[]): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < windowMs) {
    into.push({ x: performance.now() - startedAt, y: (await worker.usage()).rssBytes });
    await sleep(Math.min(500, windowMs));
  }
}

async function bareLateness(stage: Stage, load: Load): Promise<Spread> {
  await stage.configure();
  const worker = await stage.start('bare-bullmq');
  await worker.call('startSteps', { jobs: load.tasks, intervalMs: INTERVAL_MS, concurrency: 50 } satisfies StepLoad);
  await sleep(Math.min(load.warmUpMs, 12_000));
  await worker.call('forgetLateness');
  await sleep(Math.min(load.windowMs, 30_000));
  const spread = await worker.call<Spread>('lateness');
  await worker.stop();
  return spread;
}
