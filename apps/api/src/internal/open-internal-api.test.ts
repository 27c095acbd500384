import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createKeyStore } from '@sluice/access';
import { type Config, ConfigSchema } from '@sluice/config';
import { createLocalContentStore } from '@sluice/content';
import { ledgerKeys } from '@sluice/ledger';
import { createLogger, createMetrics } from '@sluice/telemetry';
import { testRedis } from '@sluice/testkit';
import { openUpstreamConnections } from '@sluice/upstreams';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chatChunk, chatResponse, type ScriptedUpstream, scriptedUpstream, sendJson } from '../../test/text-rig.ts';
import type { StoredRun } from '../auth/stored-run.ts';
import { type OpenedInternalApi, openInternalApi } from './open-internal-api.ts';
import type { InternalRequest } from './start-internal-api.ts';

const CHAT: Pick<InternalRequest, 'method' | 'path'> = { method: 'POST', path: '/v1/chat/completions' };
const { redisUrl, prefix } = testRedis();
const logger = createLogger({ level: 'silent', name: 'test' });
const metrics = createMetrics();
const connections = openUpstreamConnections();

let dir: string;
let upstream: ScriptedUpstream;
let api: OpenedInternalApi;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'sluice-internal-'));
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('hello')));
  api = await openInternalApi({
    config: configOf('their-model'),
    redis: { url: redisUrl },
    content: createLocalContentStore(dir),
    secret: 'a secret of the test',
    connections,
    logger,
    metrics,
  });
});
afterEach(async () => {
  await api.close(1_000);
  await upstream.close();
  await rm(dir, { recursive: true, force: true });
});

function configOf(model: string): Config {
  const settings = ConfigSchema.parse({
    redis: { prefix },
    keys: [
      { name: 'alice', key: 'sk-alice-key', models: ['by-*'] },
      { name: 'charged', key: 'sk-charged-key', limits: { tpm: 1_000_000 } },
    ],
    upstreams: { chat: { kind: 'chat-completions', base_url: upstream.url, api_key: 'sk-vendor' } },
    models: [{ id: 'by-chat', routes: [{ upstream: 'chat', model }] }],
  });
  return { ...settings, dataDir: dir, contentDir: dir, disabledUpstreams: [], disabledModels: [] };
}

async function statusOf(owner: string): Promise<number> {
  const response = await api.serve({ ...CHAT, owner, body: bodyOf() });
  return response.status;
}

const parseSettings = (settings: Record<string, unknown>) => settings;

const bodyOf = (more: object = {}) =>
  JSON.stringify({ model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], ...more });

describe('the internal API', () => {
  it('uses the origin of the original request for links', async () => {
    const origin = { host: 'sluice.example', 'x-forwarded-proto': 'https' };
    const headers = { ...origin, 'x-goog-upload-command': 'start', 'x-goog-upload-protocol': 'resumable' };
    const started = await api.serve({
      owner: 'charged',
      method: 'POST',
      path: '/upload/v1beta/files',
      headers,
      body: '{}',
    });
    expect(started.headers['x-goog-upload-url']).toMatch(/^https:\/\/sluice\.example\/upload\/v1beta\/files\?/);
  });

  it('serves a request as the key with this name', async () => {
    const response = await api.serve({
      ...CHAT,
      owner: 'alice',
      body: bodyOf(),
      headers: { 'x-request-id': 'line-1' },
    });
    expect(response.status).toBe(200);
    expect(response.headers['x-request-id']).toBe('line-1');
    expect(JSON.parse(await text(response.body))).toMatchObject({ choices: [{ message: { content: 'hello' } }] });
    expect(await metrics.render()).toMatch(/sluice_text_tokens_total\{[^}]*direction="input"[^}]*\} \d/);
  });

  it("applies the key's rights", async () => {
    const response = await api.serve({ ...CHAT, owner: 'alice', body: bodyOf({ model: 'other' }) });
    expect(response.status).toBe(403);
    expect(upstream.requests).toEqual([]);
  });

  it('serves stored keys and people of the console, and rejects names without a key', async () => {
    const redis = new Redis(redisUrl);
    const parts = { redis, prefix, parseSettings, takenNames: new Set<string>(), now: Date.now, randomBytes, logger };
    await createKeyStore(parts).create({ name: 'stored', settings: {} });
    redis.disconnect();
    await expect.poll(() => statusOf('stored').catch(() => 0)).toBe(200);
    expect(await statusOf('console:admin')).toBe(200);
    await expect(statusOf('removed')).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  it('returns the body while it arrives, and aborts the upstream call of a request that is aborted', async () => {
    upstream.script = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chatChunk({ role: 'assistant', content: 'one' }));
    const controller = new AbortController();
    const body = bodyOf({ stream: true });
    const response = await api.serve({ ...CHAT, owner: 'alice', body, signal: controller.signal });
    const [chunk] = (await once(response.body, 'data')) as [Buffer];
    expect(String(chunk)).toContain('one');
    response.body.on('error', () => undefined);
    controller.abort();
    await expect.poll(() => upstream.disconnects).toBe(1);
  });

  it('serves later requests with another configuration', async () => {
    await api.apply(configOf('their-other-model'), []);
    await api.serve({ ...CHAT, owner: 'alice', body: bodyOf() });
    expect(upstream.requests[0]?.body).toMatchObject({ model: 'their-other-model' });
  });

  it.each([
    ['a key without limits', 'alice'],
    ['a key that is charged', 'charged'],
  ])('has the usage of a batch line in Redis when it reports so, with %s', async (_, owner) => {
    const redis = new Redis(redisUrl);
    const requestId = `line-of-${owner}`;
    const headers = { 'x-request-id': requestId };
    const response = await api.serve({ ...CHAT, owner, body: bodyOf(), headers, isLine: true });
    await text(response.body);
    await response.recorded();
    const entries = JSON.stringify(await redis.xrange(ledgerKeys(prefix).stream, '-', '+'));
    redis.disconnect();
    expect(entries.split(requestId).length - 1).toBe(1);
  });

  it('reports the usage of a background response at once when asked, and only once', async () => {
    upstream.script = (_request, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(chatChunk({ role: 'assistant', content: 'some words so far' }));
    const reserved = Promise.withResolvers<() => void>();
    const onUsage = vi.fn<StoredRun['onUsage']>();
    const admission = { id: 'fare_run', owner: 'charged', tokens: 500 };
    const run = { responseId: 'resp_run', createdAt: 1, admission, onReserved: reserved.resolve, onUsage };
    const body = JSON.stringify({ model: 'by-chat', input: 'hi', background: true });
    const response = await api.serve({ owner: 'charged', method: 'POST', path: '/v1/responses', body, run });
    const endNow = await reserved.promise;
    let received = '';
    for await (const chunk of response.body) {
      received += String(chunk);
      if (!received.includes('so far')) continue;
      endNow();
      break;
    }
    expect(onUsage).toHaveBeenCalledOnce();
    const [usage] = onUsage.mock.calls[0] ?? [];
    // The input is estimated at 5 tokens.
    expect(usage).toMatchObject({ admission, used: { tokens: expect.any(Number) } });
    expect(usage?.used.tokens).toBeGreaterThan(5);
    await expect.poll(() => upstream.disconnects).toBe(1);
    expect(onUsage).toHaveBeenCalledOnce();
  });

  it('lets requests in flight end before it closes', async () => {
    const arrived = new Promise<() => void>((resolve) => {
      upstream.script = (_request, response) => resolve(() => sendJson(response, 200, chatResponse('late')));
    });
    const served = api.serve({ ...CHAT, owner: 'alice', body: bodyOf() });
    const respond = await arrived;
    const closed = api.close(60_000);
    respond();
    expect(await text((await served).body)).toContain('late');
    await closed;
  });
});
