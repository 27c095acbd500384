import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLimiter } from '@sluice/limits';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatChunk, scriptedUpstream, type ScriptedUpstream, type UpstreamRequest } from '../test/text-rig.ts';

const usd = 1e9;

interface LogLine {
  level: string | number;
  msg: string;
  [field: string]: unknown;
}

let dir: string;
let vendor: ScriptedUpstream;
let child: ChildProcess;
let origin: string;
let output: string;
let redis: Redis;
let prefix: string;
/** Functions that end the responses that the scripted vendor keeps open. */
let release: (() => void)[];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-stop-'));
  release = [];
  vendor = await scriptedUpstream(neverDone);
  redis = openRedis(testRedis().redisUrl);
  await start(500);
});
afterEach(async () => {
  for (const end of release) end();
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  redis.disconnect();
  await vendor.close();
  await rm(dir, { recursive: true, force: true });
});

/** Starts a stream that never ends. Never responds to requests that are not streamed. */
function neverDone({ body }: UpstreamRequest, response: ServerResponse): void {
  release.push(() => response.destroy());
  if (body['stream'] !== true) return;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chatChunk({ role: 'assistant', content: 'a word' }));
}

/** Starts an API process with a priced text model, an image model, and a key with a budget. */
async function start(shutdownMs: number): Promise<void> {
  const shared = testRedis();
  ({ prefix } = shared);
  const price = { input: 1, output: 2, request: 0.01 };
  const file = {
    server: { port: 0 },
    redis: { url: shared.redisUrl, prefix },
    keys: [{ name: 'local', key: 'sk-main-test', budget: { usd: 5, period: 'total' } }],
    upstreams: {
      vendor: { kind: 'chat-completions', base_url: `${vendor.url}/v1`, api_key: 'sk-the-vendor-key' },
      'image-vendor': { kind: 'dashscope', base_url: `${vendor.url}/v1`, api_key: 'sk-the-vendor-key' },
    },
    models: [
      { id: 'text', routes: [{ upstream: 'vendor', model: 'm' }], price },
      { id: 'image', routes: [{ upstream: 'image-vendor', model: 'qwen-image-plus' }], price: { image: 0 } },
    ],
    timeouts: { shutdown_ms: shutdownMs },
    log: { level: 'debug' },
  };
  await writeFile(path.join(dir, 'sluice.yaml'), JSON.stringify(file));
  child = fork(path.join(import.meta.dirname, 'main.ts'), {
    cwd: dir,
    env: { PATH: process.env['PATH'], SLUICE_DATA_DIR: path.join(dir, 'data') },
    execArgv: ['--conditions=source'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  // The cast is safe because the process sends only this message.
  const [message] = (await once(child, 'message')) as [{ url: string }];
  origin = message.url;
}

function post(at: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const own = { authorization: 'Bearer sk-main-test', 'content-type': 'application/json' };
  return fetch(origin + at, { method: 'POST', headers: { ...own, ...headers }, body: JSON.stringify(body) });
}

function chat(stream: boolean): Promise<Response> {
  return post('/v1/chat/completions', {
    model: 'text',
    messages: [{ role: 'user', content: 'hi' }],
    max_tokens: 50,
    stream,
  });
}

async function stop(): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
}

function logged(): LogLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogLine); // The cast is safe because each log line is a JSON object.
}

/** Returns the warnings and errors logged since the signal. */
function warningsAndErrors(): LogLine[] {
  const lines = logged();
  const since = lines.findIndex(({ msg }) => msg.startsWith('api stopping; waiting'));
  expect(since).toBeGreaterThan(0);
  return lines
    .slice(since)
    .filter(({ level }) => (typeof level === 'number' ? level >= 40 : !/^(?:trace|debug|info)$/.test(level)));
}

describe('a text request longer than the shutdown grace period', () => {
  it('is charged for its prompt and the received output, and releases the rest of the reservation', async () => {
    const plain = [chat(false), chat(false)];
    const streams = await Promise.all([chat(true), chat(true), chat(true)]);
    const texts = streams.map((reply) => reply.text());
    await expect.poll(() => vendor.requests.length).toBe(5);
    await stop();
    await Promise.all([...plain, ...texts]);
    const { reserved, total } = await createLimiter(redis, { prefix }).spending('local');
    expect(reserved).toBe(0);
    expect(total).toBeGreaterThan(5 * 0.01 * usd);
    expect(total).toBeLessThan(5 * 0.01 * usd + 500_000);
  });

  it('returns 503 before its first byte, and an error event after it', async () => {
    const plain = chat(false);
    const stream = await chat(true);
    const events = stream.text();
    await expect.poll(() => vendor.requests.length).toBe(2);
    await stop();
    const refused = await plain;
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'no_upstream' } }]);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '1',
      'x-should-retry': 'true',
      connection: 'close',
    });
    const last = (await events).trim().split('\n\n').at(-1) ?? '';
    expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({
      error: { code: 'no_upstream', message: expect.stringContaining('The server stopped') as string },
    });
  });

  it('has its own log line, and no warning names a cause', async () => {
    const plain = chat(false);
    const stream = await chat(true);
    const events = stream.text();
    await expect.poll(() => vendor.requests.length).toBe(2);
    await stop();
    await Promise.all([plain, events]);
    expect(warningsAndErrors()).toMatchObject([{ requests: 2, msg: expect.stringContaining('aborted') as string }]);
    const lines = logged().filter(({ msg }) => msg === 'request');
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toMatchObject({ client: 'local', path: '/v1/chat/completions', cut_off: true });
    }
    expect(output).not.toMatch(/interrupted|attempt failed|circuit breaker/);
  });
});

describe('an image request longer than the shutdown grace period', () => {
  it('returns 503 with the task’s path', async () => {
    const reply = post('/v1/images/generations', { model: 'image', prompt: 'a kite' });
    await expect.poll(() => redis.keys(`*${prefix}*task*`)).not.toHaveLength(0);
    await stop();
    const { status, headers } = await reply;
    // The cast is safe because the response is an error.
    const { error } = (await (await reply).json()) as { error: { code: string; message: string } };
    expect([status, error.code]).toEqual([503, 'store_unavailable']);
    expect(error.message).toContain(headers.get('location'));
    expect(error.message).not.toContain('goes on');
    expect(headers.get('x-should-retry')).toBe('false');
    expect(warningsAndErrors()).toMatchObject([{ requests: 1 }]);
  });

  it('can be repeated with the same idempotency key', async () => {
    const reply = post('/v1/images/generations', { model: 'image', prompt: 'a kite' }, { 'idempotency-key': 'k' });
    await expect.poll(() => redis.keys(`*${prefix}*task*`)).not.toHaveLength(0);
    await stop();
    const { status, headers } = await reply;
    expect(status).toBe(503);
    expect([headers.get('x-should-retry'), headers.get('retry-after')]).toEqual(['true', '1']);
  });
});
