import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@sluice/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './processes.ts';
import { KEY, type Stack, startStack } from './stack.ts';

let folder: string;
let stack: Stack;

const get = (route: string) => fetch(`${stack.origin}${route}`, { headers: { authorization: `Bearer ${KEY}` } });

describe('the built programs', () => {
  beforeAll(async () => {
    // The cast is needed because the build script has no types.
    const { bundleProgram } = (await import(path.join(ROOT, 'scripts/lib/bundle-program.mjs'))) as {
      bundleProgram: (program: string, outdir: string) => Promise<void>;
    };
    // Inside of the repository, because the programs load a few packages from `node_modules`.
    folder = await mkdtemp(path.join(ROOT, 'node_modules/.built-'));
    for (const name of ['api', 'worker', 'sandbox']) await bundleProgram(`apps/${name}`, path.join(folder, name));
    stack = await startStack({ built: folder });
    await stack.startWorker();
  }, 60_000);

  afterAll(async () => {
    await stack.close();
    await rm(folder, { recursive: true });
  });

  it('make a video', async () => {
    const created = await fetch(`${stack.baseUrl}/videos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'a lighthouse' }),
    });
    expect(created.status).toBe(200);
    // The cast is safe because the status is 200.
    const { id } = (await created.json()) as { id: string };
    await expect.poll(async () => (await get(`/v1/videos/${id}`)).json()).toMatchObject({ status: 'completed' });
    const content = await get(`/v1/videos/${id}/content`);
    expect(content.headers.get('content-type')).toBe('video/mp4');
    expect((await content.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
  });

  it('store the ledger', async () => {
    await expect.poll(async () => (await get('/metrics')).text()).toMatch(/^sluice_ledger_entries_stored_total [1-9]/m);
  });

  it('describe their API with the version of the package', async () => {
    const manifest: unknown = JSON.parse(await readFile(path.join(ROOT, 'apps/api/package.json'), 'utf8'));
    const version: unknown = expect.objectContaining({ version: Reflect.get(Object(manifest), 'version') });
    expect(await (await get('/openapi.json')).json()).toMatchObject({ info: version });
  });

  it('show the reference page with its script', async () => {
    expect(await (await get('/docs/')).text()).toContain('Sluice API reference');
    expect((await get('/docs/js/scalar.js')).status).toBe(200);
  });

  it.skipIf(process.platform !== 'linux')('restart with the flags for servers that the user did not set', async () => {
    const port = await freePort();
    const env = { ...process.env, ...stack.env, SLUICE_HOST: '127.0.0.1', SLUICE_PORT: String(port) };
    const main = path.join(folder, 'api/main.js');
    const api = spawn(process.execPath, ['--max-semi-space-size=6', main], { env, stdio: 'ignore' });
    const exited = once(api, 'exit');
    const status = () => fetch(`http://127.0.0.1:${port}/health/live`).then((response) => response.status);
    await expect.poll(() => status().catch(() => 0)).toBe(200);
    const command = (await readFile(`/proc/${api.pid}/cmdline`, 'utf8')).split('\0').slice(1, -1);
    const flags = ['--no-flush-bytecode', '--no-memory-reducer'];
    expect(command).toEqual([...flags, '--max-semi-space-size=6', main]);
    expect(await readFile(`/proc/${api.pid}/environ`, 'utf8')).toContain('MALLOC_ARENA_MAX=1\0');
    api.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('render metrics', async () => {
    expect(await (await get('/metrics')).text()).toContain('sluice_http_requests_total');
  });
});
