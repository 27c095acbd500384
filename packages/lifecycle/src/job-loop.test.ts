import { afterEach, expect, it } from 'vitest';
import { JobLoop, type JobLoopOptions } from './job-loop.ts';

let loops: JobLoop<string>[] = [];
afterEach(async () => {
  await Promise.all(loops.map((loop) => loop.close(0)));
  loops = [];
});

interface Started {
  loop: JobLoop<string>;
  /** The jobs that can be claimed. */
  due: string[];
  /** Ends of the jobs in flight, by their names. */
  running: Map<string, () => void>;
  errors: unknown[];
}

function start(options: Partial<JobLoopOptions<string>> = {}): Started {
  const [due, running, errors]: [string[], Started['running'], unknown[]] = [[], new Map(), []];
  const loop = new JobLoop<string>({
    claim: (free) => Promise.resolve(due.splice(0, free)),
    run: (job) => new Promise<void>((resolve) => running.set(job, resolve)).finally(() => running.delete(job)),
    slots: () => 2,
    idleMs: 3_600_000,
    claimFailed: (error) => errors.push(error),
    ...options,
  });
  loops.push(loop);
  loop.start();
  return { loop, due, running, errors };
}

const jobsOf = ({ running }: Started) => [...running.keys()].toSorted();

it('runs as many jobs as there are slots, and claims the next one when a job ends', async () => {
  const started = start();
  started.due.push('a', 'b', 'c');
  started.loop.wake();
  await expect.poll(() => jobsOf(started)).toEqual(['a', 'b']);
  expect(started.due).toEqual(['c']);
  started.running.get('a')?.();
  await expect.poll(() => jobsOf(started)).toEqual(['b', 'c']);
});

it('claims again at once if a job ends during a claim that finds none', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let claims = 0;
  const started = start({
    claim: async () => {
      claims += 1;
      if (claims === 1) return ['a'];
      if (claims === 2) await promise;
      return [];
    },
  });
  await expect.poll(() => claims).toBe(2);
  started.running.get('a')?.();
  await expect.poll(() => jobsOf(started)).toEqual([]);
  resolve();
  await expect.poll(() => claims).toBe(3);
});

it('continues after a claim that fails', async () => {
  let claims = 0;
  const started = start({
    claim: () => ((claims += 1) === 1 ? Promise.reject(new Error('no connection')) : Promise.resolve(['a'])),
    slots: () => 1,
  });
  await expect.poll(() => jobsOf(started)).toEqual(['a']);
  expect([started.errors, claims]).toEqual([[new Error('no connection')], 2]);
});

it('waits for jobs in flight when it closes, and claims no other', async () => {
  const started = start();
  started.due.push('a');
  started.loop.wake();
  await expect.poll(() => jobsOf(started)).toEqual(['a']);
  let isClosed = false;
  const closed = started.loop.close(3_600_000).then(() => (isClosed = true));
  expect(started.loop.stopping.aborted).toBe(true);
  started.due.push('b');
  started.loop.wake();
  expect([isClosed, started.loop.aborting.aborted]).toEqual([false, false]);
  started.running.get('a')?.();
  await closed;
  expect(started.due).toEqual(['b']);
});

it('waits for aborted jobs, e.g. until their results are stored', async () => {
  const started = start({ abortGraceMs: 3_600_000 });
  started.due.push('a');
  started.loop.wake();
  await expect.poll(() => jobsOf(started)).toEqual(['a']);
  let isClosed = false;
  const closed = started.loop.close(1).then(() => (isClosed = true));
  await expect.poll(() => started.loop.aborting.aborted).toBe(true);
  expect(isClosed).toBe(false);
  started.running.get('a')?.();
  await closed;
});

it('aborts jobs after the grace period, and gives up those that do not end', async () => {
  const started = start({ abortGraceMs: 1 });
  started.due.push('a');
  started.loop.wake();
  await expect.poll(() => jobsOf(started)).toEqual(['a']);
  await started.loop.close(1);
  expect([started.loop.aborting.aborted, jobsOf(started)]).toEqual([true, ['a']]);
});
