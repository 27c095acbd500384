import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@sluice/testkit';
import { resolveRedisServer, startRedis } from '@sluice/embedded-redis';
import { type SampledProgram, startSampled } from './sampled-program.ts';

export const SOAK_KEY = 'sk-soak-client-0001';

/** Redis, the sandbox, two API processes, and two workers. */
export interface SoakStack {
  origins: [string, string];
  /** The processes whose resource usage is checked. */
  programs: SampledProgram[];
  dir: string;
  close(): Promise<void>;
}

/** Short, so that records are soon deleted at the rate at which they are created. */
const RETENTION_MS = 60_000;

/** @param hookOrigin the origin that webhooks may call */
export async function startSoakStack(hookOrigin: string): Promise<SoakStack> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-soak-'));
  const server = await resolveRedisServer({ env: process.env, spareCacheDir: path.join(dir, 'cache') });
  const redis = await startRedis({ server, dataDir: dir, env: process.env });
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const config = {
    keys: [{ name: 'soak', key: SOAK_KEY }],
    sandbox: { enabled: true },
    tasks: { retention_ms: RETENTION_MS, sweep_ms: 2_000 },
    polling: { first_ms: 300, min_ms: 300, max_ms: 2_000 },
    webhooks: { allow: [hookOrigin] },
  };
  const configFile = path.join(dir, 'sluice.yaml');
  await writeFile(configFile, JSON.stringify(config)); // JSON is valid YAML.
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:SLUICE_|REDIS_URL$)/.test(name)),
  );
  const env = {
    ...inherited,
    SLUICE_CONFIG: configFile,
    SLUICE_DATA_DIR: path.join(dir, 'data'),
    REDIS_URL: redis.url,
    SLUICE_SANDBOX_URL: sandboxUrl,
    SLUICE_SANDBOX_PORT: String(sandboxPort),
    SLUICE_SANDBOX_DATA: path.join(dir, 'vendor'),
    SLUICE_SANDBOX_RENDER_MS: '500',
  };
  const started: SampledProgram[] = [];
  const start = async (name: string, app: string, more: NodeJS.ProcessEnv = {}): Promise<SampledProgram> => {
    const file = `apps/${app}/src/main.ts`;
    const program = await startSampled(name, file, { ...env, ...more }, path.join(dir, `${name}.log`));
    started.push(program);
    return program;
  };
  const close = async (): Promise<void> => {
    await Promise.all(started.map((program) => program.stop()));
    await redis.stop();
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await start('sandbox', 'sandbox');
    const ports = [await freePort(), await freePort()] as const;
    const programs = [
      await start('api 1', 'api', { SLUICE_PORT: String(ports[0]) }),
      await start('api 2', 'api', { SLUICE_PORT: String(ports[1]) }),
      await start('worker 1', 'worker'),
      await start('worker 2', 'worker'),
    ];
    return { origins: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`], programs, dir, close };
  } catch (error) {
    await close();
    throw error;
  }
}
