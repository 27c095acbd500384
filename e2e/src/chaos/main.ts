import { inspect, parseArgs } from 'node:util';
import type { ChaosReport } from './judge-chaos.ts';
import { type ChaosOptions, REDIS_KINDS } from './plan-chaos.ts';
import { runChaos } from './run-chaos.ts';

const USAGE =
  'npm run chaos -- [--seed N] [--tasks N] [--minutes N] [--redis single|sentinel|shards] [--pools] [--reload-seconds N]';
const MAX_ISSUES_REPORTED = 50;

function readOptions(args: string[]): ChaosOptions {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: 'string', default: '1' },
      tasks: { type: 'string', default: '2000' },
      minutes: { type: 'string', default: '10' },
      redis: { type: 'string', default: 'single' },
      pools: { type: 'boolean', default: false },
      'reload-seconds': { type: 'string' },
    },
  });
  const redis = REDIS_KINDS.find((kind) => kind === values.redis);
  const reloadSeconds = values['reload-seconds'];
  const options = { seed: Number(values.seed), tasks: Number(values.tasks), minutes: Number(values.minutes) };
  const isValid = Number.isInteger(options.seed) && Number.isInteger(options.tasks) && options.tasks > 0;
  if (!redis) throw new Error(`--redis must be one of ${REDIS_KINDS.join(', ')}. Usage: ${USAGE}`);
  if (!isValid || !(options.minutes > 0) || (reloadSeconds !== undefined && !(Number(reloadSeconds) > 0))) {
    throw new Error(`The options must be positive numbers. Usage: ${USAGE}`);
  }
  return {
    ...options,
    redis,
    pools: values.pools,
    ...(reloadSeconds !== undefined && { reloadSeconds: Number(reloadSeconds) }),
  };
}

function print({ rows, faults }: ChaosReport, options: ChaosOptions): void {
  const all: ChaosReport['rows'] = [
    ['seed / tasks / minutes', `${options.seed} / ${options.tasks} / ${options.minutes}`],
    ['Redis / pools', `${options.redis} / ${options.pools ? 'yes' : 'no'}`],
    ...rows,
  ];
  const width = Math.max(...all.map(([name]) => name.length));
  process.stdout.write('\n');
  for (const [name, value] of all) process.stdout.write(`| ${name.padEnd(width)} | ${value} |\n`);
  for (const fault of faults.slice(0, MAX_ISSUES_REPORTED)) process.stderr.write(`✗ ${fault}\n`);
}

/** Exit codes of `npm run chaos`: 0 without violations, 1 with violations, 130 if interrupted. */
async function main(): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  try {
    const options = readOptions(process.argv.slice(2));
    const report = await runChaos(options, (line) => process.stdout.write(`${line}\n`), stopping.signal);
    print(report, options);
    return report.faults.length === 0 ? 0 : 1;
  } catch (error) {
    if (stopping.signal.aborted) return 130;
    process.stderr.write(`${inspect(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();
process.exit();
