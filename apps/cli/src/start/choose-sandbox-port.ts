import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@sluice/config';

const DEFAULT_PORT = 8079;

/**
 * The loopback port of the sandbox. Tasks remember the address of their submission, so the first choice is stored in
 * the data folder and reused. `SLUICE_SANDBOX_PORT` overrides it.
 * @throws {ConfigError} if that is not a port
 */
export async function chooseSandboxPort(dataDir: string, env: NodeJS.ProcessEnv): Promise<number> {
  const configured = configuredPort(env);
  if (configured !== undefined) return configured;
  const stored = await storedPort(dataDir);
  // The sandbox of a killed run may hold the port for a moment.
  if (stored !== undefined && (await becomesFree(stored, 2_000))) return stored;
  const port = (await freePort(DEFAULT_PORT)) ?? (await freePort(0)) ?? DEFAULT_PORT;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(portFile(dataDir), `${port}\n`);
  return port;
}

/**
 * The port of the data folder's sandbox, now or at its next start. Writes nothing.
 * @throws {ConfigError} if `SLUICE_SANDBOX_PORT` is not a port
 */
export async function expectedSandboxPort(dataDir: string, env: NodeJS.ProcessEnv): Promise<number> {
  return configuredPort(env) ?? (await storedPort(dataDir)) ?? DEFAULT_PORT;
}

function configuredPort({ SLUICE_SANDBOX_PORT: configured }: NodeJS.ProcessEnv): number | undefined {
  if (!configured) return undefined;
  const port = Number(configured);
  if (/^\d{1,5}$/.test(configured) && port > 0 && port < 65_536) return port;
  const remedy = 'use a number from 1 to 65535, or unset it';
  throw new ConfigError([{ where: 'SLUICE_SANDBOX_PORT', path: [], wrong: 'is not a port', remedy }]);
}

async function storedPort(dataDir: string): Promise<number | undefined> {
  const port = Number(await readFile(portFile(dataDir), 'utf8').catch(() => ''));
  return port > 0 ? port : undefined;
}

function portFile(dataDir: string): string {
  return join(dataDir, 'sandbox-port');
}

async function becomesFree(port: number, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; ;) {
    if ((await freePort(port)) !== undefined) return true;
    if (Date.now() > until) return false;
    await sleep(50);
  }
}

/** The port, or any free one for 0; undefined if it is taken. */
function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
