import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../client.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { KEY, OTHER_KEY, type Stack } from '../stack.ts';
import { type Receiver, startReceiver, type Delivered } from './receiver.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });
/** The timeout includes a margin for a busy machine. */
const LONG = { timeout: 30_000, interval: 50 };
const SECRET_PROMPT = 'the-prompt-that-must-stay-private';

let receiver: Receiver;
let stack: Stack;
let owner: Client;
let theirs: Client;
beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startMediaStack({
    workers: 2,
    config: {
      webhooks: { allow: [receiver.origin], poll_ms: 50, retry_ms: [200, 400], timeout_ms: 2_000, lease_ms: 20_000 },
      log: { level: 'trace' },
    },
  });
  owner = new Client(stack.origin, KEY);
  theirs = new Client(stack.origin, OTHER_KEY);
});
afterAll(async () => {
  await stack.close();
  receiver.close();
});

interface ResponseBody {
  id: string;
  task_id: string;
  secret: string;
  status: string;
  data: { id: string; status: string; attempts: { status_code?: number; error?: string }[] }[];
}

async function send(method: string, at: string, body?: object, as = owner): Promise<ResponseBody> {
  const reply = await as.fetch(at, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
  return (await reply.json()) as ResponseBody; // The cast is safe because all these responses have this format.
}

const NOTHING: Delivered = { path: '', headers: {}, body: '' };

/** Waits for this number of deliveries, and checks that no more arrive. */
async function deliveredAt(at: string, times: number): Promise<Delivered[]> {
  await expect.poll(() => receiver.at(at).length, LONG).toBe(times);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(receiver.at(at).length).toBe(times);
  return receiver.at(at);
}

function verify(secret: string, { body, headers }: Delivered): unknown {
  return new Webhook(secret).verify(body, headers);
}

describe('the end of a task', () => {
  it('is delivered once to a webhook, and is verified by the reference library and OpenAI’s SDK', async () => {
    const hook = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/all` });
    const { id } = await send('POST', '/v1/videos', { prompt: SECRET_PROMPT, seconds: '1' });
    const { id: failed } = await send('POST', '/v1/videos', { prompt: `${SECRET_PROMPT} [fail]`, seconds: '1' });
    const received = await deliveredAt('/all', 2);
    const client = new OpenAI({ apiKey: KEY, baseURL: stack.baseUrl, webhookSecret: hook.secret });
    const events = await Promise.all(received.map(({ body, headers }) => client.webhooks.unwrap(body, headers)));
    expect(received.map((one) => verify(hook.secret, one))).toEqual(events);
    // The cast is safe because every task event contains an id.
    const byTask = new Map(events.map((event) => [(event.data as { id: string }).id, event]));
    const { prompt: _prompt, ...shown } = (await send('GET', `/v1/videos/${id}`)) as ResponseBody & { prompt: string };
    const done = byTask.get(id);
    expect(done).toMatchObject({ object: 'event', type: 'video.completed', data: shown });
    expect(done?.data).toEqual(shown);
    expect(byTask.get(failed)).toMatchObject({ type: 'video.failed', data: { status: 'failed' } });
    for (const { headers, body } of received) {
      expect(headers['webhook-id']).toBe((JSON.parse(body) as { id: string }).id);
      expect(body).not.toContain(SECRET_PROMPT);
    }
    // The URL in the event works without an API key. The cast is safe because the event contains a video.
    const { data } = (done ?? { data: {} }) as { data: { metadata?: { url: string } } };
    const link = data.metadata?.url ?? '';
    expect((await fetch(link)).headers.get('content-type')).toBe('video/mp4');
    await send('DELETE', `/v1/webhooks/${hook.id}`);
  });

  it('is delivered to no webhook of another key, and to no deleted webhook', async () => {
    const hook = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/theirs` }, theirs);
    const deleted = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/gone` });
    await send('DELETE', `/v1/webhooks/${deleted.id}`);
    await send('POST', '/v1/videos', { prompt: 'mine', seconds: '1', callback_url: `${receiver.origin}/mine` });
    await deliveredAt('/mine', 1);
    expect([...receiver.at('/theirs'), ...receiver.at('/gone')]).toEqual([]);
    const { id } = await send('POST', '/v1/videos', { prompt: 'theirs', seconds: '1' }, theirs);
    const [one] = await deliveredAt('/theirs', 1);
    expect(JSON.parse(one?.body ?? '')).toMatchObject({ data: { id } });
    await send('DELETE', `/v1/webhooks/${hook.id}`, undefined, theirs);
  });

  it('of images is delivered with their links', async () => {
    const fields = { model: 'image-chat-completions', prompt: SECRET_PROMPT, callback_url: `${receiver.origin}/image` };
    const reply = await owner.fetch('/v1/images/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
    expect([reply.status, await reply.clone().text()]).toEqual([200, expect.any(String)]);
    const [one] = await deliveredAt('/image', 1);
    const { secret } = await send('GET', '/v1/webhooks/secret');
    const event = verify(secret, one ?? NOTHING) as { data: { data: { url: string }[] } };
    expect(event).toMatchObject({ type: 'image.completed', data: { object: 'image.task', status: 'completed' } });
    expect((await fetch(event.data.data[0]?.url ?? '')).headers.get('content-type')).toMatch(/^image\//);
    expect(one?.body).not.toContain(SECRET_PROMPT);
  });
});

it('the end of a group is delivered once, to its callback and to a webhook', async () => {
  const hook = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/groups`, events: ['group.completed'] });
  const group = { prompts: ['a', 'b'], seconds: '1', callback_url: `${receiver.origin}/group` };
  const { id } = await send('POST', '/v1/videos/batch', group);
  const [called] = await deliveredAt('/group', 1);
  const [notified] = await deliveredAt('/groups', 1);
  const event = { type: 'group.completed', data: { id } };
  expect(verify(hook.secret, notified ?? NOTHING)).toMatchObject(event);
  const { secret } = await send('GET', '/v1/webhooks/secret');
  expect(verify(secret, called ?? NOTHING)).toMatchObject(event);
  await send('DELETE', `/v1/webhooks/${hook.id}`);
});

describe('a callback in Kling’s format', () => {
  it('has the fields of a retrieval, and is signed with the key’s secret', async () => {
    const at = '/kling/v1/videos/text2video';
    const { task_id: id } = await send('POST', at, {
      model_name: 'test-video',
      prompt: 'a kite',
      duration: '1',
      external_task_id: 'mine-1',
      callback_url: `${receiver.origin}/kling`,
    });
    const [one] = await deliveredAt('/kling', 1);
    const { secret } = await send('GET', '/v1/webhooks/secret');
    const payload = verify(secret, one ?? { path: '', headers: {}, body: '' });
    const shown = (await send('GET', `${at}/${id}`)) as unknown as Record<string, object>;
    const { request_id: _call, ...same } = shown;
    expect(payload).toMatchObject(same);
    expect(payload).toMatchObject({ task_id: id, task_status: 'succeed', task_info: { external_task_id: 'mine-1' } });
    expect(payload).toMatchObject(shown['data'] ?? {});
  });
});

describe('a receiver', () => {
  it('that fails receives retries under the same id, and a redelivery on request', async () => {
    receiver.response = (response, { path: at }) =>
      void response.writeHead(at === '/later' && receiver.at('/later').length < 3 ? 500 : 200).end();
    const hook = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/later` });
    await send('POST', '/v1/videos', { prompt: 'later', seconds: '1' });
    const received = await deliveredAt('/later', 3);
    const deliveries = `/v1/webhooks/${hook.id}/deliveries`;
    await expect.poll(async () => (await send('GET', deliveries)).data[0]?.status, LONG).toBe('delivered');
    const [delivery] = (await send('GET', deliveries)).data;
    expect(delivery?.attempts.map(({ status_code }) => status_code)).toEqual([500, 500, 200]);
    await send('POST', `/v1/webhooks/deliveries/${delivery?.id}/redeliver`);
    const again = await deliveredAt('/later', 4);
    expect(new Set([...received, ...again].map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    for (const one of again) verify(hook.secret, one);
    await send('DELETE', `/v1/webhooks/${hook.id}`);
  });

  it.each([
    [
      'redirects to the API',
      'forbidden',
      (response: ServerResponse) => void response.writeHead(307, { location: `${stack.origin}/v1/models` }).end(),
    ],
    ['never responds', 'silent', () => undefined],
    ['responds with 410', 'gone', (response: ServerResponse) => void response.writeHead(410).end()],
  ])('that %s does not delay others, and its delivery fails', async (_title, name, respond) => {
    receiver.response = (response, delivery) =>
      delivery.path === `/${name}` ? respond(response) : void response.writeHead(204).end();
    const callback = (at: string) => ({ prompt: at, seconds: '1', callback_url: `${receiver.origin}/${at}` });
    const { id } = await send('POST', '/v1/videos', callback(name));
    await send('POST', '/v1/videos', callback(`beside-${name}`));
    await deliveredAt(`/beside-${name}`, 1);
    const delivery = async () => {
      const { data } = (await send('GET', '/v1/webhooks/deliveries?limit=100')) as unknown as {
        data: { task_id: string; status: string; attempts: unknown[] }[];
      };
      return data.find((one) => one.task_id === id);
    };
    await expect.poll(async () => (await delivery())?.status, LONG).toBe('failed');
    expect((await delivery())?.attempts.length).toBe(name === 'gone' ? 1 : 3);
  });

  it('at a private address is rejected without a connection', async () => {
    const before = receiver.deliveries.length;
    const url = `https://localhost:${new URL(receiver.origin).port}/private`;
    await expect(send('POST', '/v1/webhooks', { url })).rejects.toThrow(/^400 .*"param":"url"/);
    const params = { prompt: 'private', callback_url: url.replace('localhost', '[::ffff:127.0.0.1]') };
    await expect(send('POST', '/v1/videos', params)).rejects.toThrow(/^400 .*"param":"callback_url"/);
    expect(receiver.deliveries.length).toBe(before);
  });
});

it('a test event of OpenAI’s SDK is sent by a worker and returns the receiver’s status', async () => {
  receiver.response = (response) => void response.writeHead(202).end();
  const client = new OpenAI({ apiKey: KEY, baseURL: stack.baseUrl });
  const hook = await client.webhooks.create({
    url: `${receiver.origin}/test`,
    name: 'test',
    event_types: ['video.completed'],
  });
  expect(await client.webhooks.test(hook.id, { event_type: 'video.failed' })).toMatchObject({
    event_type: 'video.failed',
    success: true,
    status_code: 202,
  });
  const [one] = receiver.at('/test');
  expect(await client.webhooks.unwrap(one?.body ?? '', one?.headers ?? {}, hook.signing_secret)).toMatchObject({
    type: 'video.failed',
    data: { id: 'video_test' },
  });
  await client.webhooks.delete(hook.id);
});

it('a deleted task causes no further deliveries', async () => {
  // The task must be deleted before the next delivery attempt.
  receiver.response = (response) => void response.writeHead(503, { 'retry-after': '600' }).end();
  const { id } = await send('POST', '/v1/videos', {
    prompt: 'deleted',
    seconds: '1',
    callback_url: `${receiver.origin}/deleted`,
  });
  await deliveredAt('/deleted', 1);
  const delivery = async () => {
    const { data } = (await send('GET', '/v1/webhooks/deliveries?limit=100')) as unknown as {
      data: { id: string; task_id: string; status: string; attempts: { error?: string }[] }[];
    };
    return data.find((one) => one.task_id === id);
  };
  expect(await delivery()).toMatchObject({ status: 'pending', attempts: [{ status_code: 503 }] });
  await send('DELETE', `/v1/videos/${id}`);
  await send('POST', `/v1/webhooks/deliveries/${(await delivery())?.id}/redeliver`);
  await expect.poll(async () => (await delivery())?.status, LONG).toBe('failed');
  expect((await delivery())?.attempts.at(-1)?.error).toBe('task_deleted');
  expect(receiver.at('/deleted').length).toBe(1);
});

it('no log contains a secret, path, or query of a receiver', async () => {
  receiver.response = (response) => void response.writeHead(500).end();
  const hook = await send('POST', '/v1/webhooks', { url: `${receiver.origin}/hidden-path?token=hidden-query` });
  await send('POST', `/v1/webhooks/${hook.id}/test`, {});
  const { secret } = await send('GET', '/v1/webhooks/secret');
  await send('DELETE', `/v1/webhooks/${hook.id}`);
  const logs = await stack.logs();
  expect(logs).toContain('webhook attempt failed');
  for (const hidden of ['hidden-path', 'hidden-query', hook.secret.slice(6), secret.slice(6), SECRET_PROMPT]) {
    expect(logs).not.toContain(hidden);
  }
});
