import { loadavg } from 'node:os';
import { type FigureName, parseBenchOptions } from './bench-options.ts';
import { measureCreateCost } from './figures/create-cost.ts';
import { measureDownloadCost } from './figures/download-cost.ts';
import { measurePickUp } from './figures/pick-up.ts';
import { measurePollLateness } from './figures/poll-lateness.ts';
import { measureStepCost } from './figures/step-cost.ts';
import { measureTextRequests } from './figures/text-request.ts';
import { measureTextStreams } from './figures/text-stream.ts';
import { renderSetting, renderTable, type Row, writeResults } from './report.ts';
import { setStage, type Stage } from './stage.ts';

const MEASURES: Record<FigureName, (stage: Stage) => Promise<Row[]>> = {
  'text-request': measureTextRequests,
  'text-stream': measureTextStreams,
  'poll-lateness': measurePollLateness,
  'step-cost': measureStepCost,
  'create-cost': measureCreateCost,
  'pick-up': measurePickUp,
  'download-cost': measureDownloadCost,
};
const DOCUMENT = new URL('../../docs/operate/performance.md', import.meta.url);
/** Upper bound of a run. */
const MAX_MS = 45 * 60_000;

/** Measures the figures one after the other and prints the table; progress goes to standard error. */
async function main(): Promise<void> {
  const options = parseBenchOptions(process.argv.slice(2));
  setTimeout(() => {
    say('the benchmark timed out');
    process.exit(1);
  }, MAX_MS).unref();

  const load = loadavg()[0] ?? 0;
  const stage = await setStage(options, say);
  const rows: Row[] = [];
  // Ctrl-C must not leave a video of a gigabyte behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  }
  try {
    for (const name of options.only) {
      const began = performance.now();
      rows.push(...(await MEASURES[name](stage)));
      say(`${name}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
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

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
});
