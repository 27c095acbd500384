import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@sluice/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { ROOT } from '../processes.ts';
import { fastConfig, KEY, OTHER_KEY, type Stack, startStack, type StackOptions, VENDOR_KEY } from '../stack.ts';

const ADMIN_KEY = 'an admin key of the test';
const WAIT = { timeout: 60_000, interval: 100 };

let stack: Stack;
let config: Record<string, unknown>;
afterEach(() => stack.close());

interface Process {
  kind: string;
  version: string;
  result: string;
  restart: string[];
  issues: { where: string }[];
}

const configFor: NonNullable<StackOptions['configFor']> = (vendorUrl) => ({
  upstreams: { chat: { kind: 'chat-completions', base_url: `${vendorUrl}/v1`, api_key: VENDOR_KEY } },
  models: [{ id: 'one', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] }],
});

async function start(sections: Record<string, unknown> = {}, options: StackOptions = {}): Promise<void> {
  stack = await startStack({ ...options, configFor, sandboxEnv: { SLUICE_ADMIN_KEY: ADMIN_KEY }, config: sections });
  // The cast is safe because the stack has written an object.
  config = JSON.parse(await readFile(file(), 'utf8')) as Record<string, unknown>;
}

function file(): string {
  return path.join(stack.dir, 'sluice.yaml');
}

/** Replaces the file at once, as editors do. */
async function replaceFile(text: string): Promise<void> {
  await writeFile(`${file()}.new`, text);
  await rename(`${file()}.new`, file());
}

async function admin(method: string, at: string, body?: unknown) {
  const response = await fetch(`${stack.origin}/admin/v1/${at}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // The cast is safe because the admin API returns objects.
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function processes(): Promise<Process[]> {
  return (await admin('GET', 'config')).body['processes'] as Process[]; // The cast is safe for this endpoint.
}

async function chat(model: string, text = 'hello', stream = false): Promise<Response> {
  const body = JSON.stringify({ model, stream, messages: [{ role: 'user', content: text }] });
  return new Client(stack.origin, KEY).fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

/** Adds the model `two` to the models of the start. */
function withModelTwo(sections: Record<string, unknown> = {}): string {
  const models = [
    ...(config['models'] as unknown[]),
    { id: 'two', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] },
  ];
  return JSON.stringify({ ...config, models, ...sections }, undefined, 2);
}

async function sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const command = ['--conditions=source', path.join(ROOT, 'apps/cli/src/main.ts'), ...args];
  const env = { PATH: process.env['PATH'], ...stack.env };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, command, { cwd: ROOT, env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }; // `execFile` adds these fields to its error.
  }
}

describe('a change of the file', () => {
  it('serves the next request, while streams and videos end as they began', { timeout: 180_000 }, async () => {
    await start();
    const client = new Client(stack.origin, KEY);
    const video = await client.create('a kite [slow:4]', 'video-1');
    const streamed = chat('one', 'hello [slow:3]', true);
    await expect
      .poll(async () => (await client.fetch(`/v1/videos/${video.id}`)).json(), WAIT)
      .toMatchObject({
        status: 'in_progress',
      });
    // Removes the vendor of the video, the model of the stream, and the other key.
    const { chat: upstream } = config['upstreams'] as Record<string, unknown>;
    const next = {
      ...config,
      keys: [{ name: 'client', key: KEY }],
      upstreams: { chat: upstream },
      models: [{ id: 'two', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] }],
      defaults: {},
    };
    await replaceFile(JSON.stringify(next, undefined, 2));
    await expect.poll(async () => (await chat('two')).status, WAIT).toBe(200);
    expect((await chat('one')).status).toBe(404);
    expect((await new Client(stack.origin, OTHER_KEY).fetch('/v1/models')).status).toBe(401);
    const stream = await streamed;
    expect(stream.status).toBe(200);
    expect(await stream.text()).toContain('data: [DONE]');
    await expect
      .poll(async () => (await client.fetch(`/v1/videos/${video.id}`)).json(), WAIT)
      .toMatchObject({
        status: 'completed',
      });
    await expect
      .poll(async () => (await processes()).map(({ kind, result }) => [kind, result]), WAIT)
      .toEqual([
        ['api', 'applied'],
        ['worker', 'applied'],
      ]);
    const [{ version } = { version: '' }] = await processes();
    const { body } = await admin('GET', 'audit?operation=configReload');
    expect(body['data']).toMatchObject([{ actor: { type: 'system' }, target: version, reload: { trigger: 'file' } }]);
    expect(JSON.stringify(body)).toContain('models[two]');
    for (const secret of [OTHER_KEY, VENDOR_KEY]) expect(JSON.stringify(body)).not.toContain(secret);
  });

  it('changes nothing if it has errors, and says where they are', { timeout: 120_000 }, async () => {
    await start();
    const [{ version } = { version: '' }] = await processes();
    await replaceFile('upstreams:\n  chat: { kind: vidoes }\n');
    await expect
      .poll(async () => (await processes()).map(({ result }) => result), WAIT)
      .toEqual(['invalid', 'invalid']);
    const [api] = await processes();
    const issue = { where: expect.stringMatching(/sluice\.yaml:2:17$/), field: 'upstreams.chat.kind' };
    expect(api).toMatchObject({ version, issues: expect.arrayContaining([expect.objectContaining(issue)]) });
    expect((await chat('one')).status).toBe(200);
    expect(await stack.logs()).toContain('sluice.yaml:2:17 upstreams.chat.kind: `vidoes` is not a known value');
    const { code, stderr } = await sluice('reload', '--wait');
    expect([code, stderr]).toEqual([1, expect.stringContaining('sluice.yaml:2:17 upstreams.chat.kind')]);
    await replaceFile(withModelTwo());
    await expect.poll(async () => (await chat('two')).status, WAIT).toBe(200);
  });

  it('names the fields that need a restart', { timeout: 120_000 }, async () => {
    await start();
    const server = { ...(config['server'] as object), origins: ['https://app.example'] };
    await replaceFile(withModelTwo({ server }));
    await expect.poll(async () => (await chat('two')).status, WAIT).toBe(200);
    await expect
      .poll(async () => (await processes()).map(({ restart }) => restart), WAIT)
      .toEqual([['server.origins'], ['server.origins']]);
    const { body } = await admin('GET', 'configuration');
    expect(body).toMatchObject({ state: 'changed', changes: [{ path: 'server.origins' }] });
    expect(await stack.logs()).toContain('changed fields apply after a restart');
  });

  it('is found if a link to another folder changes, as in Kubernetes', { timeout: 120_000 }, async () => {
    await start();
    const versions = path.join(stack.dir, 'version-2.yaml');
    await writeFile(versions, withModelTwo());
    await symlink(versions, `${file()}.link`);
    await rename(`${file()}.link`, file());
    await expect.poll(async () => (await chat('two')).status, WAIT).toBe(200);
  });
});

describe('a signal or command', () => {
  it('reloads a file of a secret, and SIGHUP ends no process', { timeout: 120_000 }, async () => {
    await start();
    const secret = path.join(stack.dir, 'client-key');
    await writeFile(secret, 'sk-from-a-file-01\n');
    await replaceFile(withModelTwo({ keys: [{ name: 'client', key: `\${file:${secret}}` }] }));
    const status = async (key: string) => (await new Client(stack.origin, key).fetch('/v1/models')).status;
    await expect.poll(() => status('sk-from-a-file-01'), WAIT).toBe(200);
    expect(await status(KEY)).toBe(401);
    await writeFile(secret, 'sk-from-a-file-02\n');
    stack.api.process.kill('SIGHUP');
    await expect.poll(() => status('sk-from-a-file-02'), WAIT).toBe(200);
    expect(await status('sk-from-a-file-01')).toBe(401);
    expect(JSON.stringify(await processes()) + (await stack.logs())).not.toContain('sk-from-a-file');
  });

  it('waits until two API processes and a worker have the version', { timeout: 120_000 }, async () => {
    await start({ server: { host: '127.0.0.1', port: 0, processes: 1 } }, { only: 'sandbox' });
    const { port: _port, ...server } = fastConfig(0, stack.sandboxUrl)['server'] as Record<string, unknown>;
    const port = await freePort();
    config = { ...config, server: { ...server, port, processes: 2 } };
    await replaceFile(JSON.stringify(config));
    await Promise.all([stack.startApi(), stack.startWorker()]);
    stack.origin = `http://127.0.0.1:${port}`;
    await expect.poll(async () => (await processes()).length, WAIT).toBe(3);
    await replaceFile(withModelTwo());
    const { code, stdout } = await sluice('reload', '--wait', '--json');
    // The cast is safe because the command prints this object.
    const reported = JSON.parse(stdout) as { ok: boolean; processes: Process[] };
    expect([code, reported.ok, reported.processes.map(({ kind }) => kind)]).toEqual([
      0,
      true,
      ['api', 'api', 'worker'],
    ]);
    expect(new Set(reported.processes.map(({ version }) => version)).size).toBe(1);
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await chat('two')).status));
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200));
    const metrics = await (await fetch(`${stack.origin}/metrics`)).text();
    expect(metrics).toContain(`sluice_config_info{version="${reported.processes[0]?.version}"} 2`);
  });
});

describe('repeated reloads under load', () => {
  it('lose no request', { timeout: 180_000 }, async () => {
    await start();
    const texts = [JSON.stringify(config, undefined, 2), withModelTwo()];
    const failed: number[] = [];
    let requests = 0;
    const done = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!done.signal.aborted) {
        const response = await chat('one', 'hello', requests % 2 === 0);
        requests += 1;
        if (response.status !== 200 || !(await response.text()).length) failed.push(response.status);
      }
    });
    try {
      for (let change = 1; change <= 6; change += 1) {
        await replaceFile(texts[change % 2] ?? '');
        await expect.poll(appliedReloads, WAIT).toBeGreaterThanOrEqual(change);
      }
    } finally {
      done.abort();
    }
    await Promise.all(load);
    expect(failed).toEqual([]);
    expect(requests).toBeGreaterThan(20);
  });
});

async function appliedReloads(): Promise<number> {
  const metrics = await (await fetch(`${stack.origin}/metrics`)).text();
  return Number(/sluice_config_reloads_total\{result="applied"\} (\d+)/.exec(metrics)?.[1]);
}

describe('a configuration in Redis', () => {
  it('is replaced for all processes, and survives a start without it', { timeout: 180_000 }, async () => {
    await start({ config: { source: 'redis' } });
    const { server: _server, redis: _redis, config: _config, ...shared } = config;
    const bad = await admin('PUT', 'config', { text: 'models: [{ id: m, routes: [{ upstream: chta, model: x }] }]' });
    expect(bad.status).toBe(400);
    expect(JSON.stringify(bad.body)).toContain('text:1:40 models[0].routes[0].upstream');
    const models = [{ id: 'two', routes: [{ upstream: 'chat', model: 'sandbox-chat' }] }];
    const text = JSON.stringify({ ...shared, models, defaults: {} });
    const put = await admin('PUT', 'config', { text });
    expect(put).toMatchObject({ status: 200, body: { object: 'config.change', restart: [] } });
    expect((await chat('two')).status).toBe(200);
    await expect
      .poll(async () => (await admin('GET', 'config')).body, WAIT)
      .toMatchObject({
        source: 'redis',
        is_uniform: true,
        version: put.body['version'],
        processes: [{ source: 'redis' }, { source: 'redis' }],
      });
    await stack.api.stop();
    // Another prefix has no configuration, as after a loss of Redis.
    await replaceFile(JSON.stringify({ ...config, redis: { prefix: `lost-${randomUUID()}` } }));
    await stack.startApi();
    expect((await chat('two')).status).toBe(200);
    expect((await admin('GET', 'config')).body).toMatchObject({ processes: [{ source: 'last_good' }] });
    expect(await stack.logs()).toContain('The last valid configuration in the data folder is used.');
  });
});
