import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseSandboxPort, expectedSandboxPort } from './choose-sandbox-port.ts';

let dataDir: string;
const rivals: Server[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-port-'));
});
afterEach(async () => {
  for (const rival of rivals.splice(0)) rival.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Listens on a port if it is free. */
function take(port: number): Promise<void> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve());
    server.listen(port, '127.0.0.1', () => {
      rivals.push(server);
      resolve();
    });
  });
}

describe('chooseSandboxPort', () => {
  it('chooses a free port if the default one is taken, and reuses it', async () => {
    await take(8079);
    const port = await chooseSandboxPort(dataDir, {});
    expect(port).not.toBe(8079);
    for (const rival of rivals.splice(0)) rival.close();
    expect(await chooseSandboxPort(dataDir, {})).toBe(port);
  });

  it('chooses another port if the remembered one is taken', async () => {
    await take(8079);
    const port = await chooseSandboxPort(dataDir, {});
    await take(port);
    expect(await chooseSandboxPort(dataDir, {})).not.toBe(port);
  });

  it('uses SLUICE_SANDBOX_PORT', async () => {
    expect(await chooseSandboxPort(dataDir, { SLUICE_SANDBOX_PORT: '4711' })).toBe(4711);
  });

  it.each(['0', '65536', 'http', '1e3', '-1'])('rejects %s as SLUICE_SANDBOX_PORT', async (given) => {
    await expect(chooseSandboxPort(dataDir, { SLUICE_SANDBOX_PORT: given })).rejects.toThrow(
      /^SLUICE_SANDBOX_PORT: .*not a port/,
    );
  });
});

describe('expectedSandboxPort', () => {
  it('returns the default until a choice is remembered, and chooses none itself', async () => {
    await take(8079);
    expect(await expectedSandboxPort(dataDir, {})).toBe(8079);
    const port = await chooseSandboxPort(dataDir, {});
    await take(port);
    expect(await expectedSandboxPort(dataDir, {})).toBe(port);
    expect(await expectedSandboxPort(dataDir, { SLUICE_SANDBOX_PORT: '4711' })).toBe(4711);
  });
});
