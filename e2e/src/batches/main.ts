import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../processes.ts';
import { KILL_POINTS } from './kill-points.ts';
import { type BatchReport, runBatch } from './run-batch.ts';

const USAGE =
  'npm run batches -- [--lines N] [--workers N] [--points N] [--kills N] [--delay MS] [--seed N] [--charged 1]';
const REPORT_MS = 60_000;

const option = (value: string) => ({ type: 'string', default: value }) as const;
const OPTIONS = {
  lines: option('200000'),
  workers: option('2'),
  /** How often a worker is killed at each point. */
  points: option('2'),
  kills: option('10'),
  delay: option('0'),
  seed: option('1'),
  charged: option('0'),
};

function readOptions(args: string[]): Record<keyof typeof OPTIONS, number> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const read = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
  if (Object.values(read).some((value) => !(value >= 0))) throw new Error(`The options must be numbers. ${USAGE}`);
  return read as Record<keyof typeof OPTIONS, number>; // The cast is safe because each option has a default.
}

/** Builds the programs, as for a release. */
async function buildPrograms(): Promise<string> {
  // The cast is needed because the build script has no types.
  const { bundleProgram } = (await import(path.join(ROOT, 'scripts/lib/bundle-program.mjs'))) as {
    bundleProgram: (program: string, outdir: string) => Promise<void>;
  };
  // Inside of the repository, because the programs load a few packages from `node_modules`.
  const folder = await mkdtemp(path.join(ROOT, 'node_modules/.built-'));
  for (const name of ['api', 'worker', 'sandbox']) await bundleProgram(`apps/${name}`, path.join(folder, name));
  return folder;
}

/** Returns a listener that prints the progress every minute. */
function progress(): (completed: number) => void {
  let at = Date.now() + REPORT_MS;
  return (completed) => {
    if (Date.now() < at) return;
    at += REPORT_MS;
    process.stdout.write(`${completed} lines\n`);
  };
}

function print({ rows }: BatchReport): void {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) process.stdout.write(`| ${name.padEnd(width)} | ${value} |\n`);
}

/** Runs one large batch while workers are killed, and measures it. Exits with code 1 if a promise is broken. */
async function main(): Promise<void> {
  const { points: rounds, charged, ...options } = readOptions(process.argv.slice(2));
  const points = Array.from({ length: rounds }, () => KILL_POINTS).flat();
  const built = await buildPrograms();
  try {
    const report = await runBatch({ ...options, points, isCharged: charged > 0, built, onProgress: progress() });
    print(report);
    for (const fault of report.faults) process.stderr.write(`✗ ${fault}\n`);
    if (report.faults.length > 0) process.exitCode = 1;
  } finally {
    await rm(built, { recursive: true });
  }
}

await main();
