import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { SeededRandom } from '../chaos/seeded-random.ts';
import { startProgram } from '../processes.ts';
import type { Stack } from '../stack.ts';
import { type KillPoint, SEGMENT_POINTS } from './kill-points.ts';

/** A line's points are reached within this number of lines. */
const MAX_NTH = 100;
const REACHED_MS = 600_000;
/** Workers that start together. More would compete for the processor. */
const TOGETHER = 4;
const MIN_KILL_MS = 4_000;
const MAX_KILL_MS = 10_000;

/** Starts a worker for each point, which it kills itself at. @returns one line for each that did not */
export async function killAtPoints(
  stack: Stack,
  points: readonly KillPoint[],
  random: SeededRandom,
): Promise<string[]> {
  const faults: string[] = [];
  for (let from = 0; from < points.length; from += TOGETHER) {
    const group = points.slice(from, from + TOGETHER);
    faults.push(...(await Promise.all(group.map((point) => killAtPoint(stack, point, random)))).flat());
  }
  return faults;
}

/**
 * Starts a worker that kills itself when it reaches a point for the nth time, and waits for its end. It runs from the
 * sources, because the built programs cannot be observed.
 * @returns a fault if the worker did not reach the point
 */
async function killAtPoint(stack: Stack, point: KillPoint, random: SeededRandom): Promise<string[]> {
  const nth = SEGMENT_POINTS.has(point) ? 1 : 1 + Math.floor(random.next() * MAX_NTH);
  const preload = pathToFileURL(path.join(import.meta.dirname, 'kill-at-point.ts')).href;
  const env = { ...stack.env, NODE_OPTIONS: `--import=${preload}`, SLUICE_E2E_KILL: `${point}:${nth}` };
  const log = path.join(stack.dir, 'killed.log');
  const worker = startProgram('apps/worker/src/main.ts', [], env, log);
  const exited = worker.process.signalCode === null ? once(worker.process, 'exit') : Promise.resolve();
  const timeout = new AbortController();
  await Promise.race([exited, sleep(REACHED_MS, undefined, { signal: timeout.signal }).catch(() => undefined)]);
  timeout.abort();
  if (worker.process.signalCode === 'SIGKILL') return [];
  await worker.kill();
  return [`a worker did not die ${point}`];
}

/** Kills a worker at random times, and starts another one, until the signal aborts. @returns the number of kills */
export async function killAtRandom(
  stack: Stack,
  { kills, random, env }: { kills: number; random: SeededRandom; env: NodeJS.ProcessEnv },
  stop: AbortSignal,
): Promise<number> {
  for (let killed = 0; killed < kills; killed += 1) {
    const ms = MIN_KILL_MS + random.next() * (MAX_KILL_MS - MIN_KILL_MS);
    await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return killed;
    await stack.workers.shift()?.kill();
    await stack.startWorker(env);
  }
  return kills;
}
