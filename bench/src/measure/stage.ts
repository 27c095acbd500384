import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { accountCaps, type Config, loadConfig, taskSettings } from '@sluice/config';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';
import { createTaskEngine, type NewTask, type TaskEngine } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import type { BenchOptions } from './bench-options.ts';
import { connectRedis } from './connect-redis.ts';
import { startSubject, type Subject } from './start-subject.ts';

/** The measured programs. Sluice's programs run from the build output, as in the container image. */
const PROGRAMS = {
  api: new URL('../../../apps/api/dist/main.js', import.meta.url),
  // Names of files and functions in a CPU profile must not depend on the build.
  'api-source': new URL('../../../apps/api/src/main.ts', import.meta.url),
  worker: new URL('../../../apps/worker/dist/main.js', import.meta.url),
  'scripted-worker': new URL('../subjects/scripted-worker.ts', import.meta.url),
  'bare-proxy': new URL('../peers/bare-proxy.ts', import.meta.url),
  'bare-bullmq': new URL('../peers/bare-bullmq.ts', import.meta.url),
  'bare-fastify': new URL('../peers/bare-fastify.ts', import.meta.url),
  'growing-gateway': new URL('../peers/growing-gateway.ts', import.meta.url),
  'load-generator': new URL('../load/load-generator.ts', import.meta.url),
  'text-vendor': new URL('../peers/text-vendor.ts', import.meta.url),
  'limited-vendor': new URL('../peers/limited-vendor.ts', import.meta.url),
};

/** Shared by all figures: a private Redis, a vendor, a configuration, and the measured processes. */
export interface Stage {
  options: BenchOptions;
  vendor: Subject;
  redis: Redis;
  redisUrl: string;
  /**
   * Clears Redis and writes the configuration for processes that start later. All settings are the defaults, except
   * `max_submitting` and the minimum poll interval. The minimum is low because the vendor sets the poll times.
   */
  configure(options?: { maxSubmitting?: number }): Promise<void>;
  /** Clears Redis and writes a configuration for a text gateway. */
  configureText(settings: { upstreams: object; models: object[]; ledger?: object }): Promise<void>;
  /**
   * @param target URL to which a peer forwards requests; default: the videos vendor
   * @param more variables to add to the environment
   */
  start(program: keyof typeof PROGRAMS, target?: string, more?: NodeJS.ProcessEnv): Promise<Subject>;
  /** Temporary folder of the stage. */
  dir: string;
  /** The environment of the measured processes. */
  env: NodeJS.ProcessEnv;
  openEngine(): Promise<TaskEngine>;
  /** CPU time of Redis since it started, in microseconds. */
  redisCpuUs(): Promise<number>;
  close(): Promise<void>;
}

export const BENCH_KEY = 'sk-bench-0123456789';
const OWNER = 'bench';

/** @throws if Redis or the vendor does not start */
export async function setStage(options: BenchOptions, onLine: (line: string) => void): Promise<Stage> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-bench-'));
  const env = cleanEnv();
  const server = await resolveRedisServer({ env, spareCacheDir: path.join(dir, 'cache'), onProgress: onLine });
  const running = await startRedis({ server, dataDir: dir, env });
  const redis = connectRedis(running.url);
  const vendor = await startSubject({ program: new URL('../peers/vendor.ts', import.meta.url), env });
  const childEnv = {
    ...env,
    REDIS_URL: running.url,
    BENCH_TARGET: vendor.url,
    SLUICE_CONFIG: path.join(dir, 'sluice.yaml'),
    SLUICE_DATA_DIR: dir,
    SLUICE_KEY: BENCH_KEY,
  };
  const readConfig = (): Promise<Config> => loadConfig({ env: childEnv, cwd: dir });
  const subjects: Subject[] = [];
  let configurations = 0;
  /** Writes a new file, because running processes reload a changed one. JSON is valid YAML. */
  const writeConfig = async (config: object): Promise<void> => {
    childEnv.SLUICE_CONFIG = path.join(dir, `sluice-${configurations++}.yaml`);
    await writeFile(childEnv.SLUICE_CONFIG, JSON.stringify(config));
  };

  return {
    options,
    vendor,
    redis,
    redisUrl: running.url,
    dir,
    env: childEnv,
    async configureText(settings) {
      await redis.flushall();
      await writeConfig({ server: { port: 0 }, keys: [{ name: OWNER, key: BENCH_KEY }], ...settings });
    },
    async configure({ maxSubmitting } = {}) {
      await redis.flushall();
      await vendor.call('clear');
      await writeConfig(videosConfig(vendor.url, maxSubmitting));
    },
    async start(program, target = vendor.url, more = {}) {
      const isSluice = program === 'api' || program === 'worker' || program === 'scripted-worker';
      const profileDir = isSluice ? options.profileDir : undefined;
      const childsEnv = { ...childEnv, BENCH_TARGET: target, ...more };
      const subject = await startSubject({ program: PROGRAMS[program], env: childsEnv, profileDir });
      subjects.push(subject);
      return subject;
    },
    async openEngine() {
      const config = await readConfig();
      return createTaskEngine({
        redis: { url: running.url },
        prefix: config.redis.prefix,
        accounts: accountCaps(config),
        settings: taskSettings(config),
        commandTimeoutMs: 30_000,
        logger: createLogger({ level: 'silent', name: 'bench' }),
      });
    },
    async redisCpuUs() {
      const info = await redis.info('cpu');
      const seconds = (field: string) => Number(new RegExp(`${field}:([\\d.]+)`).exec(info)?.[1] ?? 0);
      return (seconds('used_cpu_sys') + seconds('used_cpu_user')) * 1e6;
    },
    async close() {
      await Promise.all(subjects.map((subject) => subject.stop()));
      await vendor.stop();
      redis.disconnect();
      await running.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function videosConfig(vendorUrl: string, maxSubmitting: number | undefined): object {
  const upstream = { kind: 'videos', base_url: `${vendorUrl}/v1`, api_key: 'vendor-key' };
  return {
    server: { port: 0 },
    keys: [{ name: OWNER, key: BENCH_KEY }],
    upstreams: { vendor: maxSubmitting === undefined ? upstream : { ...upstream, max_submitting: maxSubmitting } },
    models: ['endless', 'video-*'].map((id) => ({ id, routes: [{ upstream: 'vendor', model: id }] })),
    polling: { first_ms: 1_000, min_ms: 100 },
    // Submissions must not occupy all worker slots, because polls also need slots.
    tasks: { concurrency: Math.max(50, (maxSubmitting ?? 0) + 1) },
  };
}

/** Removes other settings, so that only the stage configures the measured processes. */
function cleanEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name)));
}

function isSetting(name: string): boolean {
  return name.startsWith('OTEL_') || (name.startsWith('SLUICE_') && name !== 'SLUICE_REDIS_SERVER');
}

let paramsList = 0;

/** Returns a task as the API passes it to the engine. Each call returns a different request. */
export function params(): NewTask {
  paramsList += 1;
  return {
    ownerId: OWNER,
    model: 'endless',
    targets: [{ upstream: 'vendor', model: 'endless' }],
    request: { kind: 'video', prompt: `${PROMPT} ${paramsList}`, seconds: '4', size: '1280x720', images: [] },
    seconds: '4',
    operation: 'video.create',
    digest: `digest-${paramsList}`,
    retryCount: 0,
  };
}

export const PROMPT =
  'A slow aerial shot over a river delta at dawn, mist between the trees, one boat leaving a long wake behind it';
