import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testRedis } from '@sluice/testkit';
import { freePort, type Program, startProgram } from '../processes.ts';

/** The key of the tests' client, and that of somebody else. */
export const KEY = 'sk-e2e-text-0001';
export const OTHER_KEY = 'sk-e2e-text-other-0002';

/** A text request as the sandbox, in its part as a vendor, saw it. */
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

/** The API before the sandbox's four text wires, both processes of their own. */
export interface TextStack {
  /** `http://host:port` of the API. */
  origin: string;
  sandboxUrl: string;
  /** The sandbox's requests whose bodies contain a text, oldest first. */
  seen(text: string): Promise<SeenRequest[]>;
  close(): Promise<void>;
}

/**
 * Starts the API with the sandbox's own models and two keys, nothing else configured; close it in the end.
 * @param sections sections of the configuration to add
 */
export async function startTextStack(sections: Record<string, unknown> = {}): Promise<TextStack> {
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
  const programs: Program[] = ['sandbox', 'api'].map((name) =>
    startProgram(`apps/${name}/src/main.ts`, [], env, path.join(dir, `${name}.log`)),
  );
  const close = async () => {
    await Promise.all(programs.filter(isRunning).map((program) => program.stop()));
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await Promise.all(programs.map(({ ready }) => ready));
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

/** A sandbox's requests whose bodies contain a text. */
export async function seenBySandbox(sandboxUrl: string, text: string): Promise<SeenRequest[]> {
  const response = await fetch(`${sandboxUrl}/_sandbox/requests`);
  const { requests } = (await response.json()) as { requests: SeenRequest[] }; // the sandbox's own shape
  return requests.filter(({ body }) => JSON.stringify(body).includes(text));
}

function isRunning({ process: { exitCode, signalCode } }: Program): boolean {
  return exitCode === null && signalCode === null;
}
