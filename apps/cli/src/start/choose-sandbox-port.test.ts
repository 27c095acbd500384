import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSandboxPort, expectedSandboxPort, storeSandboxPort } from './choose-sandbox-port.ts';

let dataDir: string;
const servers: Server[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-port-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Listens on a port. */
function take(port: number): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve());
    server.listen(port, '127.0.0.1', () => {
      servers.push(server);
      resolve();
    });
  });
}

/** Returns a port that is currently free. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

describe('chooseSandboxPort', () => {
  it('prefers the default port, and lets the sandbox fall back to another', async () => {
    expect(await chooseSandboxPort(dataDir, {})).toEqual({ port: 8079, canFallBack: true });
  });

  it('reuses the stored port', async () => {
    const port = await freePort();
    await storeSandboxPort(dataDir, port);
    expect(await chooseSandboxPort(dataDir, {})).toEqual({ port, canFallBack: true });
  });

  it('prefers the default port if the stored one is taken', async () => {
    const port = await freePort();
    await storeSandboxPort(dataDir, port);
    await take(port);
    expect(await chooseSandboxPort(dataDir, {})).toEqual({ port: 8079, canFallBack: true });
  });

  it('uses SLUICE_SANDBOX_PORT without a fallback', async () => {
    const configured = { SLUICE_SANDBOX_PORT: '4711' };
    expect(await chooseSandboxPort(dataDir, configured)).toEqual({ port: 4711, canFallBack: false });
  });

  it.each(['0', '65536', 'http', '1e3', '-1'])('rejects %s as SLUICE_SANDBOX_PORT', async (given) => {
    await expect(chooseSandboxPort(dataDir, { SLUICE_SANDBOX_PORT: given })).rejects.toThrow(
      /^SLUICE_SANDBOX_PORT: .*must be an integer from 1 to 65535/,
    );
  });
});

describe('expectedSandboxPort', () => {
  it('returns the default until a port is stored', async () => {
    expect(await expectedSandboxPort(dataDir, {})).toBe(8079);
    const port = await freePort();
    await storeSandboxPort(dataDir, port);
    await take(port);
    expect(await expectedSandboxPort(dataDir, {})).toBe(port);
    expect(await expectedSandboxPort(dataDir, { SLUICE_SANDBOX_PORT: '4711' })).toBe(4711);
  });
});
