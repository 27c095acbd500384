import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '@sluice/config';

const DEFAULT_PORT = 8079;

export interface SandboxPort {
  port: number;
  /** Whether the sandbox may use another port if this one is in use. */
  canFallBack: boolean;
}

/**
 * Returns the sandbox's loopback port: `SLUICE_SANDBOX_PORT`, the port stored by the last run if it is free, or the
 * default port. The sandbox can still fall back to another port, because this one may be taken in the meantime.
 * @throws {ConfigError} if `SLUICE_SANDBOX_PORT` is not a port
 */
export async function chooseSandboxPort(dataDir: string, env: NodeJS.ProcessEnv): Promise<SandboxPort> {
  const configured = configuredPort(env);
  if (configured !== undefined) return { port: configured, canFallBack: false };
  const stored = await storedPort(dataDir);
  // The sandbox of a killed run may use the port for a moment longer.
  const isReusable = stored !== undefined && (await becomesFree(stored, 2_000));
  return { port: isReusable ? stored : DEFAULT_PORT, canFallBack: true };
}

/** Stores the port for the next run, because tasks store the URL to which they were submitted. */
export async function storeSandboxPort(dataDir: string, port: number): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(portFile(dataDir), `${port}\n`, { mode: 0o600 });
}

/**
 * Returns the port of the data folder's sandbox, either its current port or the one for its next start. Writes nothing.
 * @throws {ConfigError} if `SLUICE_SANDBOX_PORT` is not a port
 */
export async function expectedSandboxPort(dataDir: string, env: NodeJS.ProcessEnv): Promise<number> {
  return configuredPort(env) ?? (await storedPort(dataDir)) ?? DEFAULT_PORT;
}

function configuredPort({ SLUICE_SANDBOX_PORT: configured }: NodeJS.ProcessEnv): number | undefined {
  if (!configured) return undefined;
  const port = Number(configured);
  if (/^\d{1,5}$/.test(configured) && port > 0 && port < 65_536) return port;
  const remedy = 'change it, or unset it';
  throw new ConfigError([
    { where: 'SLUICE_SANDBOX_PORT', path: [], wrong: 'must be an integer from 1 to 65535', remedy },
  ]);
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
    if (await isFree(port)) return true;
    if (Date.now() > until) return false;
    await sleep(50);
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
