import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const DEFAULT_PORT = 8079;

/**
 * The loopback port of the sandbox. Tasks remember the address that they were submitted to, so the port stays the
 * same over restarts: the first choice is written into the data folder. `SLUICE_SANDBOX_PORT` overrides it.
 */
export async function chooseSandboxPort(dataDir: string, env: NodeJS.ProcessEnv): Promise<number> {
  if (env.SLUICE_SANDBOX_PORT) return Number(env.SLUICE_SANDBOX_PORT);
  const file = join(dataDir, 'sandbox-port');
  const remembered = Number(await readFile(file, 'utf8').catch(() => ''));
  // The sandbox of a run that was just killed may hold it for a moment more.
  if (remembered > 0 && (await becomesFree(remembered, 2_000))) return remembered;
  const port = (await freePort(DEFAULT_PORT)) ?? (await freePort(0)) ?? DEFAULT_PORT;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(file, `${port}\n`);
  return port;
}

async function becomesFree(port: number, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; ;) {
    if ((await freePort(port)) !== undefined) return true;
    if (Date.now() > until) return false;
    await sleep(50);
  }
}

/** The port if it can be listened on (0: any such port), else undefined. */
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
