import { type Config, isEmbeddedRedis, type RedisSettings, redisSettings, showRedis } from '@sluice/config';
import { resolveRedisServer } from '@sluice/embedded-redis';
import { RESTART_WAITS, type SupervisedChild, superviseChild } from '@sluice/lifecycle';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { shortenPath } from '../terminal/shorten-path.ts';
import { checkRedis } from './check-redis.ts';
import { chooseSandboxPort, storeSandboxPort } from './choose-sandbox-port.ts';
import { superviseRedis } from './supervise-redis.ts';

/** The source files of the gateway's processes. */
export interface GatewayPrograms {
  api: string;
  worker: string;
  sandbox: string;
}

export interface RunGatewayOptions {
  config: Config;
  programs: GatewayPrograms;
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Receives each line of text to show to the user. */
  onLine: (line: string) => void;
}

export interface Gateway {
  /** Resolves when all processes are ready. Rejects if one of them does not start. */
  ready: Promise<GatewayFacts>;
  /** Stops API and worker, then the sandbox, then Redis. Can be called at any time. */
  stop(): Promise<void>;
  /** Kills all running processes except Redis, which saves its data. */
  killAll(): void;
}

interface GatewayFacts {
  apiUrl: string;
  /** A short description of the Redis in use. */
  redis: string;
}

const REDIS_CHECK_MS = 5_000;
/**
 * The API and the worker enforce the grace period themselves and then record aborted work. A process that still runs
 * this long afterward hangs, so it is killed.
 */
const KILL_MARGIN_MS = 6_000;

/**
 * Starts Redis and the sandbox, then the API and one worker. A process that dies later is restarted. Redis stops last,
 * so that the others can save their work.
 */
export function runGateway(options: RunGatewayOptions): Gateway {
  const { config, env, onLine } = options;
  const supervision = { ...RESTART_WAITS, onLine };
  const children: SupervisedChild[] = [];
  const stopping = new AbortController();
  let sandbox: SupervisedChild | undefined;

  const start = (name: keyof GatewayPrograms, childEnv: NodeJS.ProcessEnv) => {
    stopping.signal.throwIfAborted();
    const program = options.programs[name];
    return superviseChild({ name, spawn: () => spawnProgram(program, childEnv) }, supervision);
  };
  const startSandbox = async (): Promise<string | undefined> => {
    // If this is set, the API and the worker use an external sandbox.
    if (config.sandbox.enabled !== true || env['SLUICE_SANDBOX_URL']) return undefined;
    const { port, canFallBack } = await chooseSandboxPort(config.dataDir, env);
    const fallback = { SLUICE_SANDBOX_PORT_FALLBACK: canFallBack ? '1' : '' };
    const childEnv = { ...env, SLUICE_SANDBOX_PORT: String(port), SLUICE_DATA_DIR: config.dataDir, ...fallback };
    sandbox = start('sandbox', childEnv);
    const url = (await sandbox.ready) ?? `http://127.0.0.1:${port}`;
    // After a restart, the sandbox must keep the address that API and worker already use.
    Object.assign(childEnv, { SLUICE_SANDBOX_PORT: new URL(url).port, SLUICE_SANDBOX_PORT_FALLBACK: '' });
    if (canFallBack) await storeSandboxPort(config.dataDir, Number(new URL(url).port));
    return url;
  };

  const redis = isEmbeddedRedis(config) ? startPrivateRedis(options) : checkExternalRedis(redisSettings(config, env));
  const up = async (): Promise<GatewayFacts> => {
    const [{ url, line }, sandboxUrl] = await Promise.all([redis, startSandbox()]);
    const shared: NodeJS.ProcessEnv = {
      ...env,
      ...(url !== undefined && { REDIS_URL: url }),
      SLUICE_DATA_DIR: config.dataDir,
      // Suppresses the children's first and last log lines, because the banner and this process's last lines contain
      // the same information.
      SLUICE_SUPERVISED: '1',
    };
    if (sandboxUrl !== undefined) shared.SLUICE_SANDBOX_URL = sandboxUrl;
    const api = start('api', shared);
    const worker = start('worker', shared);
    children.push(api, worker);
    const [apiUrl] = await Promise.all([api.ready, worker.ready]);
    return { apiUrl: apiUrl ?? `http://${config.server.host}:${config.server.port}`, redis: line };
  };
  const ready = up();
  ready.catch(() => undefined);
  redis.catch(() => undefined);

  return {
    ready,
    stop: async () => {
      stopping.abort();
      const graceMs = config.timeouts.shutdown_ms + KILL_MARGIN_MS;
      await Promise.all(children.map((child) => child.stop(graceMs)));
      await sandbox?.stop(graceMs);
      const running = await redis.catch(() => undefined);
      await running?.stop();
    },
    killAll: () => {
      for (const child of [...children, ...(sandbox ? [sandbox] : [])]) child.kill();
    },
  };
}

/** The program runs in a separate session, so a terminal's Ctrl-C and hang-up only reach this process. */
function spawnProgram(program: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, program], {
    env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

interface RedisPart {
  /** Undefined if the configuration names the server. */
  url?: string;
  line: string;
  stop: () => Promise<void>;
}

async function startPrivateRedis({ config, env, cwd, onLine }: RunGatewayOptions): Promise<RedisPart> {
  const { dataDir } = config;
  const server = await resolveRedisServer({
    env,
    spareCacheDir: join(dataDir, 'cache/redis'),
    onProgress: (line) => onLine(`Redis: ${line}`),
  });
  const redis = await superviseRedis({ server, dataDir, env, ...RESTART_WAITS, onLine });
  const where = redis.url.startsWith('unix://')
    ? shortenPath(redis.url.slice('unix://'.length), cwd)
    : 'in a container';
  return {
    url: redis.url,
    line: `private redis ${redis.version} (${server.note}) · ${where}`,
    stop: () => redis.stop(),
  };
}

async function checkExternalRedis(settings: RedisSettings): Promise<RedisPart> {
  const { version, roundTripMs } = await checkRedis(settings, REDIS_CHECK_MS);
  const line = `${showRedis(settings)} · ${version} · ${Math.max(1, Math.round(roundTripMs))} ms`;
  return { line, stop: () => Promise.resolve() };
}
