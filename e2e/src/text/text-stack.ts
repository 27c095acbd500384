import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, testRedis } from '@sluice/testkit';
import { type Program, startProgram } from '../processes.ts';

/** API keys of two clients. */
export const KEY = 'sk-e2e-text-0001';
export const OTHER_KEY = 'sk-e2e-text-other-0002';

/** A request that the sandbox received as a vendor. */
export interface SeenRequest {
  wire: string;
  path: string;
  model: string | null;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  left: boolean;
  left_after_ms: number | null;
}

/** The API and the sandbox with its text protocols, each in its own process. */
export interface TextStack {
  /** The API's origin, `http://host:port`. */
  origin: string;
  sandboxUrl: string;
  /** Returns the requests to the sandbox whose bodies contain a text, oldest first. */
  seen(text: string): Promise<SeenRequest[]>;
  close(): Promise<void>;
}

/**
 * Starts the API with the sandbox's default models and two keys.
 * @param sections additional sections of the configuration
 * @param prepare runs before the API starts. Returns additional environment variables of the API.
 */
export async function startTextStack(
  sections: Record<string, unknown> = {},
  prepare?: (sandboxUrl: string) => Promise<NodeJS.ProcessEnv>,
): Promise<TextStack> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-text-'));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const { redisUrl, prefix } = testRedis();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const config = {
    redis: { prefix },
    server: { host: '127.0.0.1', port },
    sandbox: { enabled: true },
    keys: [
      { name: 'client', key: KEY },
      { name: 'other', key: OTHER_KEY },
    ],
    ...sections,
  };
  const configFile = path.join(dir, 'sluice.yaml');
  await writeFile(configFile, JSON.stringify(config));
  const env: NodeJS.ProcessEnv = {
    SLUICE_CONFIG: configFile,
    SLUICE_DATA_DIR: path.join(dir, 'data'),
    REDIS_URL: redisUrl,
    SLUICE_SANDBOX_URL: sandboxUrl,
    SLUICE_SANDBOX_PORT: String(sandboxPort),
    SLUICE_SANDBOX_DATA: path.join(dir, 'vendor'),
  };
  const start = (name: string, more: NodeJS.ProcessEnv = {}) =>
    startProgram(`apps/${name}/src/main.ts`, [], { ...env, ...more }, path.join(dir, `${name}.log`));
  const programs: Program[] = [start('sandbox')];
  if (!prepare) programs.push(start('api'));
  const close = async () => {
    await Promise.all(programs.filter(isRunning).map((program) => program.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(programs.map(({ ready }) => ready));
    if (prepare) {
      const api = start('api', await prepare(sandboxUrl));
      programs.push(api);
      await api.ready;
    }
  } catch (error) {
    const logs = await Promise.all(['sandbox', 'api'].map((name) => readFile(path.join(dir, `${name}.log`), 'utf8')));
    await close();
    throw new Error(logs.join('\n'), { cause: error });
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    sandboxUrl,
    seen: (text) => seenBySandbox(sandboxUrl, text),
    close,
  };
}

export async function seenBySandbox(sandboxUrl: string, text: string): Promise<SeenRequest[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/requests`);
  // The cast is safe because the sandbox returns this format.
  const { requests } = (await response.json()) as { requests: SeenRequest[] };
  return requests.filter(({ body }) => JSON.stringify(body).includes(text));
}

function isRunning({ process: { exitCode, signalCode } }: Program): boolean {
  return exitCode === null && signalCode === null;
}
