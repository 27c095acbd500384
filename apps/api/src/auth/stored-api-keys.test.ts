import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdminRig } from '../../test/admin-rig.ts';
import { type DeploymentRig, deploymentRig } from '../../test/deployment-rig.ts';
import { chatChunk, scriptedUpstream } from '../../test/text-rig.ts';
import { respondWith } from '../../test/vendor.ts';

let redisUrl: string;
let deployment: DeploymentRig;
let start: DeploymentRig['start'];
beforeEach(() => {
  deployment = deploymentRig();
  ({ redisUrl, start } = deployment);
});
afterEach(() => deployment.close());

describe('a stored API key', () => {
  it('reaches every API process soon after it is created, changed, rotated, or revoked', async () => {
    const [one, other] = [await start(), await start()];
    const both = (key: string, status: number) =>
      expect.poll(() => Promise.all([one.statusWith(key), other.statusWith(key)])).toEqual([status, status]);
    const models = async (rig: AdminRig) => {
      const reply = await rig.call('/v1/models', { headers: { authorization: `Bearer ${key}` } });
      return ((await reply.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };
    const key = await one.createKey('app');
    expect(await one.statusWith(key)).toBe(200); // The process that creates the key accepts it immediately.
    await both(key, 200);
    await other.admin('PATCH', 'keys/app', { models: ['video'] });
    await expect.poll(() => models(one)).toEqual(['video']);
    const rotated = await other.admin('POST', 'keys/app/rotate', { grace_seconds: 0 });
    await both(String(rotated.body['key']), 200);
    await both(key, 401);
    await one.admin('DELETE', 'keys/app');
    await both(String(rotated.body['key']), 401);
  });

  it('is served by an API that starts later, from its first request', async () => {
    const key = await (await start()).createKey('app');
    expect(await (await start()).statusWith(key)).toBe(200);
  });

  it('never leaks its secret into Redis or a log line', async () => {
    const rig = await start();
    const key = await rig.createKey('app');
    const { body } = await rig.admin('POST', 'keys/app/rotate');
    const secrets = [key, String(body['key'])];
    for (const secret of secrets) {
      expect((await rig.create({ prompt: 'a kite' }, {}, secret)).status).toBe(200);
      expect((await rig.call(`/v1/videos?key=${secret}`, { headers: {} })).status).toBe(200);
      await rig.call(`/v1/chat/completions?key=${secret}`, { method: 'POST', headers: { 'x-api-key': secret } });
      await rig.admin('GET', `keys/${secret}`);
    }
    const redis = openRedis(redisUrl);
    const stored = await everythingIn(redis);
    redis.disconnect();
    expect(stored).toContain('lastFour');
    for (const secret of secrets) {
      const inner = secret.slice('sk-sluice-'.length, -4);
      expect(stored.includes(inner)).toBe(false);
      expect(rig.logs()).not.toContain(inner);
    }
  });

  it("is not served if a configured key has the same name, because it would see that key's tasks", async () => {
    const one = await start();
    const key = await one.createKey('late');
    const other = await start({ config: { keys: [{ name: 'late', key: 'sk-configured-late' }] } });
    expect(await other.statusWith('sk-configured-late')).toBe(200);
    expect(await other.statusWith(key)).toBe(401);
    expect(other.logs()).toContain('stored key could not be served');
  });

  it('cannot take the name of a configured key, and a configured key that takes its name is logged', async () => {
    const configured = { keys: [{ name: 'late', key: 'sk-configured-late' }] };
    await start({ config: configured });
    const later = await start();
    await expect
      .poll(async () => (await later.admin('POST', 'keys', { name: 'late' })).body)
      .toMatchObject({ error: { code: 'invalid_request', param: 'name' } });
    await later.createKey('app');
    await later.admin('DELETE', 'keys/app');
    const conflicting = await start({ config: { keys: [{ name: 'app', key: 'sk-configured-app' }] } });
    await expect.poll(() => conflicting.logs()).toContain('configured key has the name of a stored key');
  });

  it('applies changed limits at once', async () => {
    const vendor = await scriptedUpstream(respondWith('hi'));
    const rig = await start({ config: chatConfig(vendor.url) });
    const key = await rig.createKey('app', { limits: { rpm: 1 } });
    const sendChat = async () => (await chat(rig, key)).status;
    expect([await sendChat(), await sendChat()]).toEqual([200, 429]);
    await rig.admin('PATCH', 'keys/app', { limits: { rpm: 3 } });
    expect([await sendChat(), await sendChat(), await sendChat()]).toEqual([200, 200, 429]);
    await rig.admin('PATCH', 'keys/app', { limits: null });
    expect(await sendChat()).toBe(200);
    await vendor.close();
  });

  it('dispatches queued tasks at once when its limit is raised', async () => {
    const rig = await start({ script: { poll: () => ({ kind: 'running' }) } });
    await rig.tasks.startWorker();
    const key = await rig.createKey('app', { limits: { concurrent_tasks: 1 } });
    const submitted = () => rig.tasks.vendor.submissions.size;
    for (let count = 0; count < 3; count++) expect((await rig.create({ prompt: 'a kite' }, {}, key)).status).toBe(200);
    await expect.poll(submitted).toBe(1);
    await rig.admin('PATCH', 'keys/app', { limits: { concurrent_tasks: 2 } });
    await expect.poll(submitted).toBe(2);
    await rig.admin('PATCH', 'keys/app', { limits: null });
    await expect.poll(submitted).toBe(3);
  });

  describe('an API key that changes during an upload', () => {
    const video = { at: '/v1/videos', type: 'application/json', text: JSON.stringify({ prompt: 'a kite' }) };
    /** Sends the first half of a request, changes the key, and then sends the second half. */
    async function sendSlowly(
      rig: AdminRig,
      key: string,
      change: () => Promise<unknown>,
      sent = video,
    ): Promise<number> {
      const halfway = Promise.withResolvers<void>();
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(Buffer.from(sent.text.slice(0, 5)));
          await halfway.promise;
          controller.enqueue(Buffer.from(sent.text.slice(5)));
          controller.close();
        },
      });
      const headers = { authorization: `Bearer ${key}`, 'content-type': sent.type };
      const reply = rig.call(sent.at, { method: 'POST', headers, body, duplex: 'half' });
      // Once the API has responded to a later request, it has read the first request's headers.
      for (let count = 0; count < 20; count++) await rig.statusWith(key);
      await change();
      halfway.resolve();
      return (await reply).status;
    }

    it('creates no task after it is revoked', async () => {
      const rig = await start();
      const key = await rig.createKey('app');
      expect(await sendSlowly(rig, key, () => rig.admin('DELETE', 'keys/app'))).toBe(401);
      const { tasks } = await rig.tasks.engine.list('app', { kind: 'video', limit: 9, order: 'asc' });
      expect(tasks).toEqual([]);
    });

    const form = [
      '--b',
      'content-disposition: form-data; name="model"',
      '',
      'chat',
      '--b',
      'content-disposition: form-data; name="file"; filename="a.wav"',
      '',
      'RIFF',
      '--b--',
      '',
    ].join('\r\n');
    it.each([
      ['/v1/chat/completions', 'application/json', { model: 'chat', messages: [{ role: 'user', content: 'hi' }] }],
      ['/v1/responses', 'application/json', { model: 'chat', input: 'hi' }],
      ['/v1/embeddings', 'application/json', { model: 'chat', input: 'hi' }],
      ['/v1/webhooks', 'application/json', { url: 'https://example.com/hook', event_types: ['*'] }],
      ['/v1/audio/transcriptions', 'multipart/form-data; boundary=b', form],
    ])('sends no upstream request at %s after it is revoked', async (at, type, body) => {
      const vendor = await scriptedUpstream(respondWith('hi'));
      const rig = await start({ config: chatConfig(vendor.url) });
      const key = await rig.createKey('app');
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      expect(await sendSlowly(rig, key, () => rig.admin('DELETE', 'keys/app'), { at, type, text })).toBe(401);
      expect(vendor.requests).toEqual([]);
      await vendor.close();
    });

    it('applies the limits in force when the task is created', async () => {
      const rig = await start();
      const key = await rig.createKey('app', { limits: { concurrent_tasks: 1 } });
      const change = () => rig.admin('PATCH', 'keys/app', { limits: { concurrent_tasks: 7 } });
      expect(await sendSlowly(rig, key, change)).toBe(200);
      const redis = openRedis(redisUrl);
      expect(await redis.hget(`{${rig.tasks.prefix}}:owner_caps`, 'app')).toBe('7');
      redis.disconnect();
    });
  });

  it('keeps an open stream running after it is revoked', async () => {
    const open = Promise.withResolvers<void>();
    const vendor = await scriptedUpstream((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chatChunk({ content: 'one' }));
      void open.promise.then(() =>
        response.end(`${chatChunk({ content: 'two' })}${chatChunk({}, 'stop')}data: [DONE]\n\n`),
      );
    });
    const rig = await start({ config: chatConfig(vendor.url) });
    const key = await rig.createKey('app');
    const sendChat = () => chat(rig, key);
    const stream = await sendChat();
    expect(stream.status).toBe(200);
    await rig.admin('DELETE', 'keys/app');
    expect((await sendChat()).status).toBe(401);
    open.resolve();
    const text = await stream.text();
    expect(text).toContain('two');
    expect(text).toContain('[DONE]');
    await vendor.close();
  });
});

function chatConfig(url: string) {
  return {
    upstreams: { chat: { kind: 'chat-completions', base_url: url, api_key: 'sk-vendor' } },
    models: [{ id: 'chat', routes: [{ upstream: 'chat', model: 'm' }] }],
  };
}

function chat(rig: AdminRig, key: string): Promise<Response> {
  return rig.call('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'chat', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });
}

async function everythingIn(redis: Redis): Promise<string> {
  const read = async (name: string): Promise<unknown> => {
    const type = await redis.type(name);
    if (type === 'string') return redis.get(name);
    if (type === 'hash') return redis.hgetall(name);
    if (type === 'list') return redis.lrange(name, 0, -1);
    if (type === 'set') return redis.smembers(name);
    if (type === 'zset') return redis.zrange(name, '0', '-1');
    return redis.xrange(name, '-', '+');
  };
  // Ignores errors, because a test that runs at the same time may delete or replace its keys.
  const values = (await redis.keys('*')).map(async (name) => [name, await read(name).catch(() => undefined)]);
  return JSON.stringify(await Promise.all(values));
}
