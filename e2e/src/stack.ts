import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, testRedis } from '@sluice/testkit';
import { type Reloads, reloadRepeatedly } from './reload/reload-repeatedly.ts';
import { withPools } from './reload/with-pools.ts';
import { descendants, type Program, startProgram } from './processes.ts';

/** API keys of two clients. */
export const KEY = 'sk-e2e-client-0001';
export const OTHER_KEY = 'sk-e2e-other-0002';
/** The key that the sandbox requires as a vendor. It must never reach a client. */
export const VENDOR_KEY = 'sk-vendor-secret-3003';

/** The sandbox, the API, and the workers, each in its own process. */
export interface Stack {
  /** The API's base URL for SDKs, `http://…/v1`. */
  baseUrl: string;
  origin: string;
  sandboxUrl: string;
  /** Temporary folder for data and logs. */
  dir: string;
  env: NodeJS.ProcessEnv;
  api: Program;
  workers: Program[];
  reloads: Reloads | undefined;
  /** @param env variables to add to the stack's environment */
  startApi(env?: NodeJS.ProcessEnv): Promise<Program>;
  startWorker(env?: NodeJS.ProcessEnv): Promise<Program>;
  /** Reads the logs of the API and the workers. */
  logs(): Promise<string>;
  close(): Promise<void>;
}

export interface StackOptions {
  workers?: number;
  /** Configuration sections that replace the sections of {@link fastConfig}. */
  config?: Record<string, unknown>;
  upstream?: Record<string, unknown>;
  configFor?: (vendorUrl: string) => { upstreams: Record<string, unknown>; models: unknown[] };
  redisUrl?: string;
  /** Starts a proxy in front of the sandbox and returns the proxy's URL. */
  vendorFront?: (sandboxUrl: string) => Promise<string>;
  renderMs?: number;
  sandboxEnv?: NodeJS.ProcessEnv;
  /** Additional environment variables of the first API process. */
  apiEnv?: NodeJS.ProcessEnv;
  /** A folder with the built programs. By default, the sources run. */
  built?: string;
  /** Whether each upstream with an API key has a pool of credentials. The default is `SLUICE_E2E_POOLS=1`. */
  pools?: boolean | undefined;
  /** The time between two changes of the configuration. The default is `SLUICE_E2E_RELOAD_SECONDS`, or no change. */
  reloadSeconds?: number | undefined;
  /** If set, starts only the sandbox. The test starts the other processes. */
  only?: 'sandbox';
}

/** Task timers, shortened for tests. */
export const FAST_TASKS = {
  lock_ms: 1_500,
  stall_check_ms: 500,
  sweep_ms: 300,
  overdue_ms: 1_000,
  submit_unknown_ms: 20_000,
  retry_min_ms: 100,
  retry_max_ms: 1_000,
};

/** Timeouts that no call exceeds even on a busy machine, for tests that need none of them to expire. */
export const PATIENT_TIMEOUTS = {
  submit_ms: 60_000,
  poll_ms: 60_000,
  image_ms: 60_000,
  image_wait_ms: 120_000,
  download_idle_ms: 60_000,
  redis_ms: 30_000,
  shutdown_ms: 3_000,
};

/** Returns a configuration with short timers. */
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
    tasks: FAST_TASKS,
    log: { level: 'info' },
    ...options.config,
  };
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-e2e-'));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const { redisUrl, prefix } =
    options.redisUrl === undefined ? testRedis() : { redisUrl: options.redisUrl, prefix: 'sluice' };
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const configFile = path.join(dir, 'sluice.yaml');
  const vendorUrl = (await options.vendorFront?.(sandboxUrl)) ?? sandboxUrl;
  const config: Record<string, unknown> = { redis: { prefix }, ...fastConfig(port, vendorUrl, options) };
  const { pools = process.env['SLUICE_E2E_POOLS'] === '1' } = options;
  if (pools) config['upstreams'] = withPools(config['upstreams'] as Record<string, unknown>, 0); // `fastConfig` returns sections.
  await writeFile(configFile, JSON.stringify(config, undefined, 2));

  const env: NodeJS.ProcessEnv = {
    SLUICE_CONFIG: configFile,
    SLUICE_DATA_DIR: path.join(dir, 'data'),
    REDIS_URL: redisUrl,
    SLUICE_SANDBOX_URL: sandboxUrl,
    SLUICE_SANDBOX_PORT: String(sandboxPort),
    SLUICE_SANDBOX_KEY: VENDOR_KEY,
    SLUICE_SANDBOX_DATA: path.join(dir, 'vendor'),
    SLUICE_SANDBOX_RENDER_MS: String(options.renderMs ?? 300),
    GCE_METADATA_HOST: `127.0.0.1:${sandboxPort}`,
    ...options.sandboxEnv,
  };
  const programs: Program[] = [];
  const start = async (name: string, more: NodeJS.ProcessEnv = {}): Promise<Program> => {
    const file = options.built ? path.join(options.built, name, 'main.js') : `apps/${name}/src/main.ts`;
    const program = startProgram(file, [], { ...env, ...more }, path.join(dir, `${name}.log`));
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
    reloads: undefined,
    async startApi(more) {
      stack.api = await start('api', more);
      return stack.api;
    },
    async startWorker(more) {
      const worker = await start('worker', more);
      stack.workers.push(worker);
      return worker;
    },
    async logs() {
      const texts = ['api', 'worker'].map((name) => readFile(path.join(dir, `${name}.log`), 'utf8'));
      return (await Promise.all(texts)).join('');
    },
    async close() {
      await stack.reloads?.stop();
      const running = programs.filter(
        ({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null,
      );
      await Promise.all(running.map((program) => program.stop()));
      await reportCrashes(programs, dir);
      await rm(dir, { recursive: true, force: true });
    },
  };
  await sandbox;
  const { reloadSeconds = Number(process.env['SLUICE_E2E_RELOAD_SECONDS'] ?? 0) } = options;
  // Only chaos runs start a process again that has read an error.
  const withErrors = options.reloadSeconds !== undefined;
  if (reloadSeconds > 0) stack.reloads = reloadRepeatedly(configFile, reloadSeconds * 1_000, withErrors);
  if (!options.only) await Promise.all(Array.from({ length: options.workers ?? 1 }, () => stack.startWorker()));
  return stack;
}

/** A complete deployment: Sluice with its supervisor, the sandbox, and an embedded Redis. */
export interface Deployment {
  origin: string;
  sandboxUrl: string;
  dir: string;
  start(): Promise<void>;
  /** Kills all processes of the deployment. */
  kill(): void;
  close(): Promise<void>;
}

/** Prepares a {@link Deployment} without starting it. */
export async function prepareDeployment(): Promise<Deployment> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-deployment-'));
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
        if (program.process.exitCode !== null) throw new Error(`Sluice did not start; see ${dir}/sluice.log.`);
        const ready = await fetch(`${origin}/health/ready`).catch(() => undefined);
        if (ready?.ok) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('Sluice was not ready in time.');
    },
    kill() {
      const pid = program?.process.pid;
      if (pid === undefined) return;
      for (const victim of [pid, ...descendants(pid)]) {
        try {
          process.kill(victim, 'SIGKILL');
        } catch {
          // The process has already ended.
        }
      }
    },
    async close() {
      if (program?.process.exitCode === null && program.process.signalCode === null) await program.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Prints the logs of crashed programs. Must run before the folder with the logs is deleted. */
async function reportCrashes(programs: readonly Program[], dir: string): Promise<void> {
  if (programs.every(({ process: { exitCode } }) => exitCode === 0 || exitCode === null)) return;
  for (const name of ['api', 'worker', 'sandbox']) {
    const log = await readFile(path.join(dir, `${name}.log`), 'utf8').catch(() => '');
    process.stderr.write(`--- ${name}\n${log.slice(-3_000)}\n`);
  }
}
