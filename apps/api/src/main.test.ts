import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testRedis } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let dir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-main-'));
});
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
});

/** Starts a process with a separate configuration and records its output. */
async function start(port = 0, config: object = {}): Promise<{ child: ChildProcess; output: () => string }> {
  const { redisUrl, prefix } = testRedis();
  const file = {
    server: { port },
    redis: { url: redisUrl, prefix },
    keys: [{ name: 'local', key: 'sk-main-test' }],
    upstreams: { vendor: { kind: 'videos', base_url: 'http://127.0.0.1:9/v1', api_key: 'sk-the-vendor-key' } },
    models: [{ id: 'video', routes: [{ upstream: 'vendor', model: 'm' }] }],
    ...config,
  };
  await writeFile(path.join(dir, 'sluice.yaml'), JSON.stringify(file));
  const child = fork(path.join(import.meta.dirname, 'main.ts'), {
    cwd: dir,
    env: { PATH: process.env['PATH'], SLUICE_DATA_DIR: path.join(dir, 'data') },
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  return { child, output: () => text };
}

async function ready(child: ChildProcess): Promise<string> {
  // The cast is safe because the process sends only this message.
  const [message] = (await once(child, 'message')) as [{ type: string; url: string }];
  expect(message.type).toBe('ready');
  return message.url;
}

describe('the API process', () => {
  it('logs its address, serves, and exits with 0 when stopped', async () => {
    const { child, output } = await start();
    const url = await ready(child);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    const headers = { authorization: 'Bearer sk-main-test', 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'video', prompt: 'a kite' });
    expect((await fetch(`${url}/v1/videos`, { method: 'POST', headers, body })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(output()).toContain('api stopping');
    expect(output()).not.toMatch(/sk-main-test|sk-the-vendor-key|a kite/);
  });

  it('stops when its parent process has ended', async () => {
    const { child } = await start();
    await ready(child);
    child.disconnect();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('exits with 1 and a remedy if its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    const { child, output } = await start(port);
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain(`Port ${port} on 127.0.0.1 is in use. Set \`SLUICE_PORT\``);
    other.close();
  });

  it('exits with 1 and the setting if its content store cannot be used', async () => {
    const { child, output } = await start(0, { content: { dir: 'misspelled' } });
    expect(await once(child, 'exit')).toEqual([1, null]);
    const folder = path.join(await realpath(dir), 'misspelled');
    expect(output()).toBe(
      `Cannot write to the content folder ${folder} (ENOENT). Check that \`content.dir\` names an existing folder that this process can write to.\n`,
    );
  });

  it('exits with 1 and the invalid field of its configuration', async () => {
    const { child, output } = await start(0, { serverr: {} });
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output()).toContain('serverr');
    expect(output()).not.toContain('    at ');
  });
});
