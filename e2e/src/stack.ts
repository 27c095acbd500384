import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testRedis } from '@sluice/testkit';
import { descendants, freePort, type Program, startProgram } from './processes.ts';

/** The key of the tests' client, and that of somebody else. */
export const KEY = 'sk-e2e-client-0001';
export const OTHER_KEY = 'sk-e2e-other-0002';
/** The vendor key that the sandbox requires; must never be visible outside. */
export const VENDOR_KEY = 'sk-vendor-secret-3003';

/** The whole system over sockets: sandbox, API and workers as processes of their own. */
export interface Stack {
  /** The API's base URL for SDKs, `http://…/v1`. */
  baseUrl: string;
  origin: string;
  sandboxUrl: string;
  /** Temporary folder with data and logs. */
  dir: string;
  env: NodeJS.ProcessEnv;
  api: Program;
  workers: Program[];
  /** @param env what this one process gets beside the stack's own environment */
  startApi(env?: NodeJS.ProcessEnv): Promise<Program>;
  startWorker(env?: NodeJS.ProcessEnv): Promise<Program>;
  close(): Promise<void>;
}

export interface StackOptions {
  workers?: number;
  /** Sections of the configuration that differ from the fast ones. */
  config?: Record<string, unknown>;
  upstream?: Record<string, unknown>;
  /** Upstreams and models beside the stack's own, once it is known where the vendor is reached. */
  configFor?: (vendorUrl: string) => { upstreams: Record<string, unknown>; models: unknown[] };
  redisUrl?: string;
  /** A proxy between workers and the sandbox: receives the sandbox's URL, returns its own. */
  vendorFront?: (sandboxUrl: string) => Promise<string>;
  renderMs?: number;
  /** Settings of the sandbox process. */
  sandboxEnv?: NodeJS.ProcessEnv;
  /** Settings of the first API process alone. */
  apiEnv?: NodeJS.ProcessEnv;
  /** Sandbox and configuration only; the test starts the rest. */
  only?: 'sandbox';
}

/** A configuration with every timer in milliseconds. */
export function fastConfig(port: number, sandboxUrl: string, options: StackOptions = {}): Record<string, unknown> {
  const more = options.configFor?.(sandboxUrl) ?? { upstreams: {}, models: [] };
  return {
    server: { host: '127.0.0.1', port },
    keys: [
      { name: 'client', key: KEY },
      { name: 'other', key: OTHER_KEY },
    ],
    upstreams: {
      vendor: { kind: 'videos', base_url: `${sandboxUrl}/v1`, api_key: VENDOR_KEY, ...options.upstream },
      ...more.upstreams,
    },
    models: [{ id: 'test-video', routes: [{ upstream: 'vendor', model: 'sandbox-video' }] }, ...more.models],
    defaults: { video_model: 'test-video' },
    timeouts: { submit_ms: 500, poll_ms: 500, download_idle_ms: 1_000, shutdown_ms: 3_000 },
    polling: { first_ms: 50, min_ms: 50, max_ms: 500, on_read_ms: 50 },
    tasks: {
      lock_ms: 1_500,
      stall_check_ms: 500,
      sweep_ms: 300,
      overdue_ms: 1_000,
      submit_unknown_ms: 20_000,
      retry_min_ms: 100,
      retry_max_ms: 1_000,
    },
    log: { level: 'info' },
    ...options.config,
  };
}

/** Starts a {@link Stack}; close it in the end. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-e2e-'));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const { redisUrl, prefix } =
    options.redisUrl === undefined ? testRedis() : { redisUrl: options.redisUrl, prefix: 'sluice' };
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const configFile = path.join(dir, 'sluice.yaml');
  const vendorUrl = (await options.vendorFront?.(sandboxUrl)) ?? sandboxUrl;
  const config = { redis: { prefix }, ...fastConfig(port, vendorUrl, options) };
  await writeFile(configFile, JSON.stringify(config, undefined, 2));

  const env: NodeJS.ProcessEnv = {
    SLUICE_CONFIG: configFile,
    SLUICE_DATA_DIR: path.join(dir, 'data'),
    REDIS_URL: redisUrl,
    SLUICE_SANDBOX_PORT: String(sandboxPort),
    SLUICE_SANDBOX_KEY: VENDOR_KEY,
    SLUICE_SANDBOX_DATA: path.join(dir, 'vendor'),
    SLUICE_SANDBOX_RENDER_MS: String(options.renderMs ?? 300),
    ...options.sandboxEnv,
  };
  const programs: Program[] = [];
  const start = async (name: string, own: NodeJS.ProcessEnv = {}): Promise<Program> => {
    const program = startProgram(`apps/${name}/src/main.ts`, [], { ...env, ...own }, path.join(dir, `${name}.log`));
    programs.push(program);
    await program.ready;
    return program;
  };

  const sandbox = start('sandbox');
  const stack: Stack = {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    sandboxUrl,
    dir,
    env,
    api: await (options.only ? sandbox : start('api', options.apiEnv)),
    workers: [],
    async startApi(own) {
      stack.api = await start('api', own);
      return stack.api;
    },
    async startWorker(own) {
      const worker = await start('worker', own);
      stack.workers.push(worker);
      return worker;
    },
    async close() {
      const running = programs.filter(
        ({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
      );
      await Promise.all(running.map((program) => program.stop()));
      await reportCrashes(programs, dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
  await sandbox;
  if (!options.only) await Promise.all(Array.from({ length: options.workers ?? 1 }, () => stack.startWorker()));
  return stack;
}

/** The whole of Sluice under its own supervisor, with a private Redis in its data folder. */
export interface Whole {
  origin: string;
  sandboxUrl: string;
  dir: string;
  start(): Promise<void>;
  /** Kills every process of it at once. */
  kill(): void;
  close(): Promise<void>;
}

/** Prepares a {@link Whole}; its sandbox is part of what is killed. */
export async function wholeSluice(): Promise<Whole> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-whole-'));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const configFile = path.join(dir, 'sluice.yaml');
  const config = { sandbox: { enabled: true }, ...fastConfig(port, sandboxUrl) };
  await writeFile(configFile, JSON.stringify(config));
  const env: NodeJS.ProcessEnv = {
    SLUICE_CONFIG: configFile,
    SLUICE_DATA_DIR: path.join(dir, 'data'),
    REDIS_URL: 'embedded',
    SLUICE_SANDBOX_PORT: String(sandboxPort),
    SLUICE_SANDBOX_KEY: VENDOR_KEY,
    SLUICE_SANDBOX_RENDER_MS: '300',
  };
  const origin = `http://127.0.0.1:${port}`;
  let program: Program | undefined;
  return {
    origin,
    sandboxUrl,
    dir,
    async start() {
      program = startProgram('apps/cli/src/main.ts', ['start'], env, path.join(dir, 'sluice.log'));
      for (const until = Date.now() + 30_000; Date.now() < until;) {
        if (program.process.exitCode !== null) throw new Error(`Sluice did not start; see ${dir}/sluice.log`);
        const ready = await fetch(`${origin}/health/ready`).catch(() => undefined);
        if (ready?.ok) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('Sluice was not ready in time');
    },
    kill() {
      const pid = program?.process.pid;
      if (pid === undefined) return;
      for (const victim of [pid, ...descendants(pid)]) {
        try {
          process.kill(victim, 'SIGKILL');
        } catch {
          // It has ended already.
        }
      }
    },
    async close() {
      if (program?.process.exitCode === null && program.process.signalCode === null) await program.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The folder is deleted with its logs, so the output of crashed programs is printed first. */
async function reportCrashes(programs: readonly Program[], dir: string): Promise<void> {
  if (programs.every(({ process: { exitCode } }) => exitCode === 0 || exitCode === null)) return;
  for (const name of ['api', 'worker', 'sandbox']) {
    const log = await readFile(path.join(dir, `${name}.log`), 'utf8').catch(() => '');
    process.stderr.write(`--- ${name}\n${log.slice(-3_000)}\n`);
  }
}
