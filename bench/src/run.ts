import { loadavg } from 'node:os';
import { FIGURES, type FigureName, parseBenchOptions } from './measure/bench-options.ts';
import { measureAfterSilence } from './figures/after-silence.ts';
import { measureAppendSync } from './figures/append-sync.ts';
import { measureBesideBatch } from './figures/observed/beside-batch.ts';
import { measureColdStart } from './figures/cold-start.ts';
import { measureCreateCost } from './figures/create-cost.ts';
import { measureDownloadCost } from './figures/download-cost.ts';
import { measureFloor } from './figures/floor.ts';
import { measureHotPath } from './figures/hot-path.ts';
import { measureIdleStreams } from './figures/idle-streams.ts';
import { measureConsoleCost } from './figures/observed/console-cost.ts';
import { measureLedgerCost } from './figures/observed/ledger-cost.ts';
import { measurePoolsCost } from './figures/observed/pools-cost.ts';
import { measureLargeBodies } from './figures/large-body.ts';
import { measureLedgerDrain } from './figures/ledger-drain.ts';
import { measureLedgerReport } from './figures/ledger-report.ts';
import { measurePickUp } from './figures/pick-up.ts';
import { measurePollLateness } from './figures/poll-lateness.ts';
import { measureStepCost } from './figures/step-cost.ts';
import { measureTextRequests } from './figures/text-request.ts';
import { measureTextStreams } from './figures/text-stream.ts';
import { measureTracingCost } from './figures/observed/tracing-cost.ts';
import { measureWarmUp } from './figures/warm-up.ts';
import { mergeFigures, renderFigures, renderSetting, type Row, writeResults } from './measure/report.ts';
import { setStage, type Stage } from './measure/stage.ts';
import { measureMixed } from './mixed/measure-mixed.ts';
import { isValid, renderMixedTable } from './mixed/mixed-table.ts';

const MEASURES: Record<FigureName, (stage: Stage) => Promise<Row[]>> = {
  'cold-start': measureColdStart,
  'warm-up': measureWarmUp,
  'after-silence': measureAfterSilence,
  'text-request': measureTextRequests,
  'text-stream': measureTextStreams,
  'tracing-cost': measureTracingCost,
  'hot-path': measureHotPath,
  floor: measureFloor,
  'ledger-cost': measureLedgerCost,
  'console-cost': measureConsoleCost,
  'pools-cost': measurePoolsCost,
  'large-body': measureLargeBodies,
  'poll-lateness': measurePollLateness,
  'step-cost': measureStepCost,
  'create-cost': measureCreateCost,
  'pick-up': measurePickUp,
  'download-cost': measureDownloadCost,
  'idle-streams': measureIdleStreams,
  'append-sync': measureAppendSync,
  'ledger-drain': measureLedgerDrain,
  'ledger-report': measureLedgerReport,
  'beside-batch': measureBesideBatch,
};
const DOCUMENT = new URL('../../docs/operate/performance.md', import.meta.url);
/** Maximum duration of a run, in milliseconds. */
const MAX_MS = 45 * 60_000;

/** Runs the mixed load, measures the figures, and prints both tables. Progress is printed to standard error. */
async function main(): Promise<void> {
  const options = parseBenchOptions(process.argv.slice(2));
  setTimeout(() => {
    logLine('the benchmark timed out');
    process.exit(1);
  }, MAX_MS).unref();

  const load = loadavg()[0] ?? 0;
  const stage = await setStage(options, logLine);
  // Ctrl-C must also delete the temporary folder, which contains a video of 1 GiB.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  }
  try {
    const version = /redis_version:(\S+)/.exec(await stage.redis.info('server'))?.[1] ?? '';
    const setting = renderSetting(version, options.rounds, load);
    const mixed = options.mixed ? await timed('mixed', () => measureMixed(stage, logLine)) : undefined;
    const figures: { name: FigureName; rows: Row[] }[] = [];
    for (const name of options.only) figures.push({ name, rows: await timed(name, () => MEASURES[name](stage)) });

    const mixedTable = mixed && renderMixedTable(mixed);
    const table = figures.length > 0 ? renderFigures(figures) : undefined;
    const text = [setting, mixedTable, table].filter((part) => part !== undefined).join('\n\n');
    process.stdout.write(options.json ? `${JSON.stringify({ setting, mixed, figures }, undefined, 2)}\n` : `${text}\n`);
    if (options.write && mixed) await writeResults(DOCUMENT, 'mixed', () => `${setting}\n\n${mixedTable}`);
    if (options.write && table !== undefined)
      await writeResults(DOCUMENT, 'results', (old) => `${setting}\n\n${mergeFigures(table, old, FIGURES)}`);
    if (mixed && !isValid(mixed)) throw new Error('the mixed run is invalid because requests failed');
  } finally {
    await stage.close();
  }
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const result = await work();
  logLine(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  return result;
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  logLine(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
