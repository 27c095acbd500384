import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLoad, type LoadMaker } from './load.ts';
import { type Recording, reportOf, type SoakResult } from './report.ts';
import { SOAK_KEY, type SoakStack, startSoakStack } from './soak-stack.ts';

const CONCURRENCIES = [8, 16, 32, 64];
const CALIBRATION_MS = 8_000;
const SAMPLES = 400;

/** Measures the maximum operations per second. */
async function calibrate(maker: LoadMaker): Promise<number> {
  await maker.atConcurrency(8, CALIBRATION_MS); // Warms up first, because cold code is slower.
  let best = 0;
  for (const concurrency of CONCURRENCIES) {
    const rate = await maker.atConcurrency(concurrency, CALIBRATION_MS);
    process.stdout.write(`  ${concurrency} concurrent: ${rate.toFixed(0)} a second\n`);
    best = Math.max(best, rate);
  }
  return best;
}

async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return {
    origin: `http://127.0.0.1:${port}`,
    received: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Registers a webhook for ended videos. @throws if the gateway rejects it */
async function registerWebhook(api: string, receiver: string): Promise<void> {
  const hook = await fetch(`${api}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SOAK_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver}/hook` }),
  });
  if (!hook.ok) throw new Error(`The webhook was rejected: ${await hook.text()}`);
}

/** Samples the programs periodically until the signal aborts. */
async function record(programs: SoakStack['programs'], everyMs: number, signal: AbortSignal): Promise<Recording> {
  const started = performance.now();
  const recording: Recording = new Map(programs.map(({ name }) => [name, []]));
  while (!signal.aborted) {
    await Promise.all(
      programs.map(async (program) => {
        const sample = await program.sample();
        const at = performance.now() - started;
        if (sample) recording.get(program.name)?.push({ at, ...sample });
      }),
    );
    await sleep(everyMs);
  }
  return recording;
}

/** Applies two thirds of the stack's capacity as load and returns the measurements. */
async function soak(stack: SoakStack, minutes: number): Promise<SoakResult> {
  const maker = createLoad(stack.origins);
  const capacity = await calibrate(maker);
  const rate = (capacity * 2) / 3;
  process.stdout.write(`  ${rate.toFixed(0)} a second, two thirds of that, for ${minutes} min\n`);
  maker.load.tallies.clear();
  const forMs = minutes * 60_000;
  const stop = new AbortController();
  const recording = record(stack.programs, Math.max(1_000, forMs / SAMPLES), stop.signal);
  await maker.atRate(rate, forMs);
  stop.abort();
  const ended = stack.programs.filter((program) => program.hasEnded()).map(({ name }) => name);
  return { recording: await recording, load: maker.load, ended, minutes, rate, capacity };
}

/**
 * Runs Sluice at two thirds of its capacity and checks that its resource usage does not grow. Exit codes: 0 without
 * growth, 1 with growth or failures, 130 if interrupted. `--samples` sets a file to which all samples are written as
 * JSON.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, samples: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 1)) throw new Error('--minutes must be a number from 1.');
  const interrupted = new Promise<undefined>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(undefined));
  });
  const receiver = await startReceiver();
  const stack = await startSoakStack(receiver.origin);
  try {
    await registerWebhook(stack.origins[0], receiver.origin);
    const result = await Promise.race([soak(stack, minutes), interrupted]);
    if (!result) return 130;
    if (values.samples !== undefined) await writeFile(values.samples, JSON.stringify([...result.recording]));
    const report = reportOf(result, receiver.received());
    process.stdout.write(report.text);
    return report.isPassed ? 0 : 1;
  } finally {
    await stack.close();
    receiver.close();
  }
}

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return 1;
  }),
);
