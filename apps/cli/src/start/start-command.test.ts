import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A stub for API, worker, and sandbox. It logs its life cycle to a file and can be made to fail. */
const CHILD = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';
const name = basename(process.argv[1], '.mjs');
const note = (word) => appendFileSync(process.env.NOTES, name + ' ' + word + ' ' + process.pid + ' ' + (process.env.REDIS_URL ?? '') + '\\n');
if (process.env.BROKEN === name) { console.error(name + ': port 8080 is taken'); process.exit(1); }
process.on('SIGINT', () => {});
const stop = (why) => { note(why); setTimeout(() => { note('stopped'); process.exit(0); }, 50); };
process.on('SIGTERM', () => { if (process.env.STUBBORN !== name) stop('term'); });
process.on('disconnect', () => stop('disconnect'));
createServer((_, response) => response.end()).listen(0, '127.0.0.1', function () {
  note('ready');
  if (process.env.SLUICE_SUPERVISED) note('supervised');
  process.send({ type: 'ready', url: 'http://127.0.0.1:' + this.address().port });
});
`;

let folder: string;
let gateways: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  gateways = [];
  const names = ['api', 'worker', 'sandbox'];
  await Promise.all(names.map((name) => writeFile(join(folder, `${name}.mjs`), CHILD)));
  const paths = Object.fromEntries(names.map((name) => [name, join(folder, `${name}.mjs`)]));
  const source = new URL('./start-command.ts', import.meta.url).href;
  const program = `import { startCommand } from ${JSON.stringify(source)};
    process.exit(await startCommand(process, ${JSON.stringify(paths)}));`;
  await writeFile(join(folder, 'main.mjs'), program);
  await writeFile(join(folder, 'notes'), '');
});

afterEach(async () => {
  for (const gateway of gateways) gateway.kill('SIGKILL');
  await until(async () => (await processesOfFolder()).length === 0);
  await rm(folder, { recursive: true, force: true });
});

interface Run {
  process: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

function start(env: NodeJS.ProcessEnv = {}): Run {
  const more = {
    NOTES: join(folder, 'notes'),
    SLUICE_DATA_DIR: join(folder, 'data'),
    REDIS_URL: '',
    SLUICE_CONFIG: '',
    // The stub API chooses its own port.
    SLUICE_PORT: '0',
  };
  const child = spawn(process.execPath, ['--conditions=source', join(folder, 'main.mjs')], {
    cwd: folder,
    env: { ...process.env, ...more, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  gateways.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  // The child's own `close` event is not used, because it is not emitted after a disconnect.
  const drained = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const ended = Promise.all([once(child, 'exit'), ...drained]).then(() => child.exitCode);
  return { process: child, output: () => output, ended };
}

async function startAndWait(env?: NodeJS.ProcessEnv): Promise<Run> {
  const run = start(env);
  await until(() => run.output().includes('Try it'));
  return run;
}

async function notes() {
  const text = await readFile(join(folder, 'notes'), 'utf8');
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', word = '', pid = '', redisUrl = ''] = line.split(' ');
      return { name, word, pid: Number(pid), redisUrl };
    });
}

async function pidOf(name: string): Promise<number> {
  return (await notes()).findLast((note) => note.name === name && note.word === 'ready')?.pid ?? 0;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

/** Returns the processes whose command line contains the test's folder. */
async function processesOfFolder(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(folder));
}

describe('sluice start', () => {
  it('starts all parts and prints their addresses, a key, and commands to paste', async () => {
    const { output } = await startAndWait();
    const api = (await notes()).find(({ name }) => name === 'api');
    expect(api?.redisUrl).toBe(`unix://${join(folder, 'data/redis.sock')}`);
    expect(output()).toMatch(/API {9}http:\/\/127\.0\.0\.1:\d+\/v1/);
    expect(output()).toContain('KEY=sk-test-local');
    expect(output()).toMatch(/Redis {7}private redis \d/);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('exits with code 0 on %s and leaves no process', async (signal) => {
    const run = await startAndWait();
    run.process.kill(signal);
    expect(await run.ended).toBe(0);
    expect(await processesOfFolder()).toEqual([]);
  });

  it('creates a data folder that only its owner can access', async () => {
    await startAndWait();
    const data = join(folder, 'data');
    const names = ['.', ...(await readdir(data, { recursive: true }))];
    const modes = await Promise.all(
      names.map(async (name) => {
        const found = await stat(join(data, name));
        return [name, found.isSocket() ? 0 : found.mode & 0o077];
      }),
    );
    expect(modes.filter(([, mode]) => mode !== 0)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['sandbox-port', 'redis/appendonlydir']));
  });

  it('passes on that it prints a banner, so that children log their start and stop only on debug', async () => {
    await startAndWait();
    expect(
      (await notes())
        .filter(({ word }) => word === 'supervised')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['api', 'worker']);
  });

  it('stores the port of the sandbox for the next start', async () => {
    await startAndWait();
    const port = Number(await readFile(join(folder, 'data/sandbox-port'), 'utf8'));
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);
  });

  it('starts no sandbox if one runs elsewhere', async () => {
    const { output } = await startAndWait({ SLUICE_SANDBOX_URL: 'http://127.0.0.1:1' });
    expect(output()).toContain('sandbox on');
    const ready = (await notes()).filter(({ word }) => word === 'ready');
    expect(ready.map(({ name }) => name).toSorted()).toEqual(['api', 'worker']);
  });

  it('stops when its launcher closes the channel', async () => {
    const run = await startAndWait();
    run.process.disconnect();
    expect(await run.ended).toBe(0);
  });

  it('stops the sandbox after API and worker', async () => {
    const run = await startAndWait();
    run.process.kill('SIGTERM');
    await run.ended;
    const order = (await notes()).filter(({ word }) => word === 'stopped' || word === 'term');
    expect(order.map(({ name }) => name).slice(-2)).toEqual(['sandbox', 'sandbox']);
  });

  it('leaves no process when it is killed', async () => {
    const run = await startAndWait();
    run.process.kill('SIGKILL');
    await run.ended;
    await until(async () => (await processesOfFolder()).length === 0);
  });

  it('restarts immediately on the data folder of a killed run', async () => {
    const first = await startAndWait();
    first.process.kill('SIGKILL');
    await startAndWait();
  });

  it('restarts a child that died', async () => {
    const run = await startAndWait();
    const before = await pidOf('worker');
    process.kill(before, 'SIGKILL');
    await until(async () => (await pidOf('worker')) !== before);
    expect(run.output()).toContain('The worker exited (SIGKILL)');
  });

  it('restarts a private Redis that died, at the same address', async () => {
    const run = await startAndWait();
    const path = join(folder, 'data/redis.sock');
    const redis = new Redis(path);
    redis.on('error', () => undefined);
    const info = await redis.info('server');
    process.kill(Number(/process_id:(\d+)/.exec(info)?.[1]), 'SIGKILL');
    await until(() => run.output().includes('The private Redis exited'));
    expect(await redis.ping()).toBe('PONG');
    redis.disconnect();
  });

  it('kills a child that does not stop in time', async () => {
    const config = join(folder, 'sluice.yaml');
    const text =
      'timeouts: { shutdown_ms: 100 }\nsandbox: { enabled: true }\nkeys: [{ name: a, key: sk-test-local }]\n';
    await writeFile(config, text);
    const run = await startAndWait({ STUBBORN: 'worker' });
    run.process.kill('SIGTERM');
    expect(await run.ended).toBe(0);
    expect(await processesOfFolder()).toEqual([]);
  });

  it("fails with code 1 if a child does not start, and prints only the child's message", async () => {
    const run = start({ BROKEN: 'api' });
    expect(await run.ended).toBe(1);
    expect(run.output().trim()).toBe('api: port 8080 is taken');
    expect(await processesOfFolder()).toEqual([]);
  });

  it('rejects a port in use before it starts anything', async () => {
    const otherServer = createServer();
    await new Promise<void>((resolve) => void otherServer.listen(0, '127.0.0.1', resolve));
    const address = otherServer.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const run = start({ SLUICE_PORT: String(port) });
    expect(await run.ended).toBe(1);
    expect(run.output()).toBe(
      `✗ Port ${port} on 127.0.0.1 is in use. Set \`SLUICE_PORT\` to another port, or stop the process that uses it.\n`,
    );
    expect(await notes()).toEqual([]);
    expect(await readdir(join(folder, 'data'))).toEqual([]);
    otherServer.close();
  });

  it('names SLUICE_DATA_DIR if the data folder cannot be written', async () => {
    const dataDir = join(folder, 'notes/data');
    const run = start({ SLUICE_DATA_DIR: dataDir });
    expect(await run.ended).toBe(1);
    expect(run.output()).toBe(
      `✗ Cannot write to the data folder ${dataDir} (ENOTDIR). Set \`SLUICE_DATA_DIR\` to a writable folder.\n`,
    );
  });

  it('rejects a data folder of a running gateway before it starts anything', async () => {
    const first = await startAndWait();
    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`✗ Another Sluice (process ${first.process.pid}) is running on`);
    expect((await notes()).filter(({ word }) => word === 'ready')).toHaveLength(3);
  });

  it('rejects an external Redis that does not respond, with code 1', async () => {
    const run = start({ REDIS_URL: 'redis://:secret@127.0.0.1:1' });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain('✗ Redis at redis://127.0.0.1:1 does not respond');
    expect(run.output()).not.toContain('secret');
  });

  it('rejects an invalid configuration with code 1', async () => {
    await writeFile(join(folder, 'sluice.yaml'), 'serve: {}\n');
    const run = start();
    expect(await run.ended).not.toBe(0);
    expect(run.output()).toContain('sluice.yaml:1:1');
  });
});
