import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type LoopbackTrap, startLoopbackTrap } from '@sluice/testkit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { startMediaStack } from '../media/media-stack.ts';
import { KEY, PATIENT_TIMEOUTS, type Stack } from '../stack.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

const LONG = { timeout: 60_000, interval: 50 };
/** A path that is in every URL to an internal address. */
const INNER = 'inner-path-of-the-client';

let trap: LoopbackTrap;
/** Has an allowed address and redirects to internal addresses. */
let receiver: Receiver;
let stack: Stack;
let client: Client;
let hosts: string[];
beforeAll(async () => {
  [trap, receiver] = await Promise.all([startLoopbackTrap(), startReceiver()]);
  receiver.response = (response, { path: at }) =>
    void response.writeHead(Number(/\d+/.exec(at)?.[0] ?? 204), { location: innerUrl('127.0.0.1') }).end();
  hosts = [
    '127.0.0.1',
    'localhost',
    'inner.localhost',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ];
  stack = await startMediaStack({
    only: 'sandbox',
    config: {
      timeouts: PATIENT_TIMEOUTS,
      log: { level: 'trace' },
      download: { allow: [receiver.origin] },
      webhooks: {
        poll_ms: 50,
        retry_ms: [100],
        timeout_ms: 5_000,
        lease_ms: 20_000,
        per_key: 50,
      },
    },
  });
  // The API accepts these URLs, but the worker must reject them. This can happen if the configuration or DNS changes.
  const file = stack.env['SLUICE_CONFIG'] ?? '';
  // The cast is safe because the stack wrote this file.
  const config = JSON.parse(await readFile(file, 'utf8')) as { webhooks: object; download: { allow: string[] } };
  const origins = hosts.flatMap((host) => ['https', 'http'].map((scheme) => new URL(innerUrl(host, scheme)).origin));
  const allow = [...new Set(origins)];
  const lenientConfig = {
    ...config,
    webhooks: { ...config.webhooks, allow },
    download: { allow: [...config.download.allow, ...allow] },
  };
  const lenient = path.join(stack.dir, 'lenient.yaml');
  await writeFile(lenient, JSON.stringify(lenientConfig));
  await Promise.all([stack.startApi({ SLUICE_CONFIG: lenient }), stack.startWorker()]);
  client = new Client(stack.origin, KEY);
}, 120_000);
afterAll(async () => {
  await stack.close();
  trap.close();
  receiver.close();
});
afterEach(() => {
  expect(trap.connections()).toBe(0);
});

function innerUrl(host: string, scheme = 'https'): string {
  return `${scheme}://${host}:${trap.port}/${INNER}`;
}

interface Delivered {
  id: string;
  task_id: string;
  data: {
    status: string;
    webhook_id?: string;
    task_id: string;
    attempts: { status_code?: number; error?: string }[];
  }[];
}

async function send(at: string, body?: object): Promise<Delivered> {
  const reply = await client.fetch(at, {
    ...(body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  expect(reply.ok, `${at} ${reply.status} ${text}`).toBe(true);
  return JSON.parse(text) as Delivered; // The cast is safe because all these responses have this format.
}

const IMAGE_DATA = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const IMAGE = { model: 'image-chat-completions', prompt: 'a kite' };

/** All endpoints that accept callback URLs. */
const ENDPOINTS: readonly [path: string, body: Record<string, unknown>][] = [
  ['/v1/videos', { prompt: 'a kite', seconds: '1' }],
  ['/v1/video/generations', { prompt: 'a kite', duration: 1 }],
  ['/provider-a/v1/videos/text2video', { model_name: 'test-video', prompt: 'a kite', duration: '1' }],
  ['/kling/v1/videos/text2video', { model_name: 'test-video', prompt: 'a kite', duration: '1' }],
  ['/kling/v1/videos/image2video', { model_name: 'test-video', image: IMAGE_DATA, prompt: 'a kite', duration: '1' }],
  ['/v1/images/generations', IMAGE],
  [
    '/v1/images/generations',
    { model: IMAGE.model, input: { messages: [{ role: 'user', content: [{ text: 'a kite' }] }] } },
  ],
  ['/v1/images/edits', { ...IMAGE, model: 'edit-chat-completions', image: IMAGE_DATA }],
];

type Delivery = Delivered['data'][number] & { id: string };

/** Waits until all deliveries of this key have ended. */
async function endedDeliveries(count: number): Promise<Delivery[]> {
  let deliveries: Delivery[] = [];
  await expect
    .poll(async () => {
      deliveries = await allDeliveries();
      return [deliveries.length, deliveries.filter(({ status }) => status === 'pending').length];
    }, LONG)
    .toEqual([count, 0]);
  return deliveries;
}

async function allDeliveries(): Promise<Delivery[]> {
  const deliveries: Delivery[] = [];
  for (;;) {
    const last = deliveries.at(-1)?.id;
    const { data } = await send(`/v1/webhooks/deliveries?limit=100${last === undefined ? '' : `&after=${last}`}`);
    deliveries.push(...(data as Delivery[])); // The cast is safe because every delivery has an id.
    if (data.length < 100) return deliveries;
  }
}

it('callbacks of every protocol, and webhooks, never reach an internal address in any notation', async () => {
  const webhooks = await Promise.all(hosts.map((host) => send('/v1/webhooks', { url: innerUrl(host) })));
  const paramsList = ENDPOINTS.flatMap(([at, body], index) => {
    // Each endpoint gets a quarter of the address notations and one plain HTTP URL.
    const urls = hosts.filter((_, number) => number % 4 === index % 4).map((host) => innerUrl(host));
    return [...urls, innerUrl('127.0.0.1', 'http')].map((callback_url) => ({ at, body: { ...body, callback_url } }));
  });
  await Promise.all(paramsList.map(({ at, body }) => send(at, body)));
  const all = await endedDeliveries(paramsList.length * (1 + webhooks.length));
  const outcomes = all.map(({ status, attempts }) => [status, ...attempts.map(({ error }) => error)].join(' '));
  const byHttp = outcomes.filter((outcome) => outcome === 'failed invalid_url');
  expect(byHttp).toHaveLength(ENDPOINTS.length);
  expect(new Set(outcomes)).toEqual(new Set(['failed forbidden_address forbidden_address', 'failed invalid_url']));
  await Promise.all(webhooks.map(({ id }) => client.fetch(`/v1/webhooks/${id}`, { method: 'DELETE' })));
}, 180_000);

it('redirects to internal addresses are not followed', async () => {
  const before = (await allDeliveries()).length;
  const statuses = [301, 302, 303, 307, 308];
  const endpoints = ENDPOINTS.slice(0, statuses.length);
  await Promise.all(
    endpoints.map(([at, body], index) => send(at, { ...body, callback_url: `${receiver.origin}/${statuses[index]}` })),
  );
  const all = await endedDeliveries(before + endpoints.length);
  const attempts = all
    .slice(0, endpoints.length)
    .map((one) => one.attempts.map(({ status_code }) => status_code).join(' '));
  expect(new Set(attempts)).toEqual(new Set(statuses.map((status) => `${status} ${status}`)));
  expect(receiver.deliveries.filter(({ headers }) => 'webhook-id' in headers)).toHaveLength(endpoints.length * 2);
}, 120_000);

/** Image fields of each video protocol and of one image API. */
const IMAGE_VENDORS: readonly [path: string, body: (url: string) => object][] = [
  ['/v1/videos', (url) => ({ prompt: 'a kite', input_reference: { image_url: url } })],
  ['/v1/video/generations', (url) => ({ prompt: 'a kite', image: url })],
  ['/kling/v1/videos/image2video', (url) => ({ model_name: 'video-provider-a', prompt: 'a kite', image: url })],
  ['/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31', (url) => ({ prompt: 'a kite', image_urls: [url] })],
  ['/v1/images/edits', (url) => ({ ...IMAGE, model: 'edit-chat-completions', image: url })],
];

it('images of every protocol are fetched from no internal address, directly or by redirect', async () => {
  const paramsList = IMAGE_VENDORS.flatMap(([at, body], index) => {
    const urls = hosts.filter((_, number) => number % 5 === index).map((host) => innerUrl(host, 'http'));
    return [...urls, `${receiver.origin}/302`].map((url) => ({ at, body: body(url) }));
  });
  const ends = await Promise.all(
    paramsList.map(async ({ at, body }) => {
      const reply = await client.fetch(at, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await reply.text();
      const [id] = /video_\w+/.exec(text) ?? [];
      // If the client waits for the images, the response itself contains the error.
      if (id === undefined) return text;
      let shown = '';
      await expect
        .poll(async () => (shown = await (await client.fetch(`/v1/videos/${id}`)).text()), LONG)
        .toMatch(/"status":"(?:failed|completed)"/);
      return shown;
    }),
  );
  for (const end of ends) {
    expect(end).toContain('The image could not be fetched: The URL does not resolve to a public address.');
    expect(end).toContain('"code":"invalid_request"');
    expect(end).not.toContain(INNER);
  }
}, 120_000);

it('no log line contains the target of a callback or an image', async () => {
  const log = await readFile(path.join(stack.dir, 'worker.log'), 'utf8');
  expect(log).toContain('webhook delivery failed');
  for (const secret of [INNER, `:${trap.port}`, receiver.origin]) expect(log).not.toContain(secret);
});
