import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLoad, type LoadMaker } from './load.ts';
import { type Recording, reportOf, type Soaked } from './report.ts';
import { SOAK_KEY, type SoakStack, startSoakStack } from './soak-stack.ts';

const LANES = [8, 16, 32, 64];
const CALIBRATION_MS = 8_000;
const SAMPLES = 400;

/** Operations per second without any wait of the clients. */
async function calibrate(maker: LoadMaker): Promise<number> {
  await maker.atOnce(8, CALIBRATION_MS); // cold code is not representative
  let best = 0;
  for (const lanes of LANES) {
    const rate = await maker.atOnce(lanes, CALIBRATION_MS);
    process.stdout.write(`  ${lanes} at once: ${rate.toFixed(0)} a second\n`);
    best = Math.max(best, rate);
  }
  return best;
}

/** Takes webhooks, and counts them. */
async function startReceiver() {
  let taken = 0;
  const server = createServer((request, response) => {
    taken += 1;
    request.resume().on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    origin: `http://127.0.0.1:${port}`,
    taken: () => taken,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Registers a webhook for the ends of videos. @throws if the gateway rejects it */
async function registerWebhook(api: string, receiver: string): Promise<void> {
  const hook = await fetch(`${api}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SOAK_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver}/hook` }),
  });
  if (!hook.ok) throw new Error(`no webhook: ${await hook.text()}`);
}

/** Looks into the programs again and again, until it is over. */
async function record(programs: SoakStack['programs'], everyMs: number, over: AbortSignal): Promise<Recording> {
  const started = performance.now();
  const recording: Recording = new Map(programs.map(({ name }) => [name, []]));
  while (!over.aborted) {
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

/** Applies two thirds of the stack's capacity and returns the measurements. */
async function soak(stack: SoakStack, minutes: number): Promise<Soaked> {
  const maker = createLoad(stack.origins);
  const capacity = await calibrate(maker);
  const rate = (capacity * 2) / 3;
  process.stdout.write(`  ${rate.toFixed(0)} a second, two thirds of that, for ${minutes} min\n`);
  maker.load.tallies.clear();
  const forMs = minutes * 60_000;
  const over = new AbortController();
  const recording = record(stack.programs, Math.max(1_000, forMs / SAMPLES), over.signal);
  await maker.atRate(rate, forMs);
  over.abort();
  const ended = stack.programs.filter((program) => program.hasEnded()).map(({ name }) => name);
  return { recording: await recording, load: maker.load, ended, minutes, rate, capacity };
}

/**
 * The soak: the whole of Sluice under two thirds of what it can do, watched for whatever grows. Exit code 0 when
 * nothing does, 1 when something does, 130 when broken off. `--minutes` says how long; `--samples` names a file that
 * takes all samples as JSON.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, samples: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 1)) throw new Error('--minutes must be a number from 1.');
  const brokenOff = new Promise<undefined>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(undefined));
  });
  const receiver = await startReceiver();
  const stack = await startSoakStack(receiver.origin);
  try {
    await registerWebhook(stack.origins[0], receiver.origin);
    const soaked = await Promise.race([soak(stack, minutes), brokenOff]);
    if (!soaked) return 130;
    if (values.samples !== undefined) await writeFile(values.samples, JSON.stringify([...soaked.recording]));
    const report = reportOf(soaked, receiver.taken());
    process.stdout.write(report.text);
    return report.isAvailable ? 0 : 1;
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
