import { loadavg } from 'node:os';
import { type FigureName, parseBenchOptions } from './measure/bench-options.ts';
import { measureAppendSync } from './figures/append-sync.ts';
import { measureCreateCost } from './figures/create-cost.ts';
import { measureDownloadCost } from './figures/download-cost.ts';
import { measureIdleStreams } from './figures/idle-streams.ts';
import { measureLargeBodies } from './figures/large-body.ts';
import { measurePickUp } from './figures/pick-up.ts';
import { measurePollLateness } from './figures/poll-lateness.ts';
import { measureStepCost } from './figures/step-cost.ts';
import { measureTextRequests } from './figures/text-request.ts';
import { measureTextStreams } from './figures/text-stream.ts';
import { renderSetting, renderTable, type Row, writeResults } from './measure/report.ts';
import { setStage, type Stage } from './measure/stage.ts';

const MEASURES: Record<FigureName, (stage: Stage) => Promise<Row[]>> = {
  'text-request': measureTextRequests,
  'text-stream': measureTextStreams,
  'large-body': measureLargeBodies,
  'poll-lateness': measurePollLateness,
  'step-cost': measureStepCost,
  'create-cost': measureCreateCost,
  'pick-up': measurePickUp,
  'download-cost': measureDownloadCost,
  'idle-streams': measureIdleStreams,
  'append-sync': measureAppendSync,
};
const DOCUMENT = new URL('../../docs/operate/performance.md', import.meta.url);
/** Maximum duration of a run, in milliseconds. */
const MAX_MS = 45 * 60_000;

/** Measures the figures one after the other and prints the table. Progress is printed to standard error. */
async function main(): Promise<void> {
  const options = parseBenchOptions(process.argv.slice(2));
  setTimeout(() => {
    logLine('the benchmark timed out');
    process.exit(1);
  }, MAX_MS).unref();

  const load = loadavg()[0] ?? 0;
  const stage = await setStage(options, logLine);
  const rows: Row[] = [];
  // Ctrl-C must also delete the temporary folder, which contains a video of 1 GiB.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  }
  try {
    for (const name of options.only) {
      const startedAt = performance.now();
      rows.push(...(await MEASURES[name](stage)));
      logLine(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    }
    const version = /redis_version:(\S+)/.exec(await stage.redis.info('server'))?.[1] ?? '';
    const setting = renderSetting(version, options.rounds, load);
    const text = `${setting}\n\n${renderTable(rows)}`;
    process.stdout.write(options.json ? `${JSON.stringify({ setting, rows }, undefined, 2)}\n` : `${text}\n`);
    if (options.write) await writeResults(DOCUMENT, text);
  } finally {
    await stage.close();
  }
}

function logLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  logLine(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
