import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createLoad, type LoadMaker } from './load.ts';
import { reportOf, type Recording } from './report.ts';
import { SOAK_KEY, startSoakStack } from './soak-stack.ts';

const LANES = [8, 16, 32, 64];
const CALIBRATION_MS = 8_000;
const SAMPLES = 400;

/** Finds how many operations a second are done when nothing waits for the clients. */
async function calibrate(maker: LoadMaker): Promise<number> {
  await maker.atOnce(8, CALIBRATION_MS); // code that is cold tells nothing
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

/**
 * The soak: the whole of Sluice under two thirds of what it can do, watched for whatever grows. Exits 1 when something
 * does. `--minutes` says how long; `--samples` names a file that takes all samples as JSON.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { minutes: { type: 'string', default: '60' }, samples: { type: 'string' } },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 1)) throw new Error('--minutes must be a number from 1.');
  const receiver = await startReceiver();
  const stack = await startSoakStack(receiver.origin);
  try {
    const hook = await fetch(`${stack.origins[0]}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${SOAK_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${receiver.origin}/hook` }),
    });
    if (!hook.ok) throw new Error(`no webhook: ${await hook.text()}`);
    const maker = createLoad(stack.origins);
    const capacity = await calibrate(maker);
    const rate = (capacity * 2) / 3;
    process.stdout.write(`  ${rate.toFixed(0)} a second, two thirds of that, for ${minutes} min\n`);

    maker.load.tallies.clear();
    const forMs = minutes * 60_000;
    const everyMs = Math.max(1_000, forMs / SAMPLES);
    const started = performance.now();
    const recording: Recording = new Map(stack.programs.map(({ name }) => [name, []]));
    const over = new AbortController();
    const sampling = (async () => {
      while (!over.signal.aborted) {
        await Promise.all(
          stack.programs.map(async (program) => {
            const sample = await program.sample();
            const at = performance.now() - started;
            if (sample) recording.get(program.name)?.push({ at, ...sample });
          }),
        );
        await sleep(everyMs);
      }
    })();
    await maker.atRate(rate, forMs);
    over.abort();
    await sampling;
    const ended = stack.programs.filter((program) => program.hasEnded()).map(({ name }) => name);
    if (values.samples !== undefined) await writeFile(values.samples, JSON.stringify([...recording]));
    const report = reportOf({
      recording,
      load: maker.load,
      ended,
      minutes,
      rate,
      capacity,
      webhooks: receiver.taken(),
    });
    process.stdout.write(report.text);
    process.exitCode = report.isWell ? 0 : 1;
  } finally {
    await stack.close();
    receiver.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
