import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client } from '../client.ts';
import { KEY, type Stack, startStack } from '../stack.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const LONG = { timeout: 30_000, interval: 50 };

let receiver: Receiver;
let stack: Stack | undefined;
let client: Client;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await stack?.close();
  receiver.close();
});

async function start(webhooks: Record<string, unknown>): Promise<Stack> {
  const fast = { allow: [receiver.origin], retry_ms: [200, 200], timeout_ms: 1_000, lease_ms: 3_000, poll_ms: 50 };
  stack = await startStack({ config: { webhooks: { ...fast, ...webhooks } } });
  client = new Client(stack.origin, KEY);
  return stack;
}

async function createWithCallback(): Promise<string> {
  const reply = await client.fetch('/v1/videos', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'a kite', seconds: '1', callback_url: `${receiver.origin}/done` }),
  });
  const { id } = (await reply.json()) as { id: string }; // The cast is safe because a created video has an id.
  return id;
}

it('after kill -9 of a worker between the end of a task and its delivery, the next worker delivers it once', async () => {
  // This worker completes tasks but does not poll for deliveries.
  const running = await start({ poll_ms: 3_600_000 });
  const id = await createWithCallback();
  await expect.poll(async () => (await client.retrieve(id))?.status, LONG).toBe('completed');
  await running.workers[0]?.kill();
  expect(receiver.deliveries).toEqual([]);

  const file = running.env['SLUICE_CONFIG'] ?? '';
  await writeFile(file, (await readFile(file, 'utf8')).replace('"poll_ms": 3600000', '"poll_ms": 50'));
  await running.startWorker();
  await expect.poll(() => receiver.deliveries.length, LONG).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 4_500)); // Waits longer than a lease lasts.
  expect(receiver.deliveries.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id)).toEqual([id]);
}, 180_000);

it('after kill -9 of a worker during a delivery, the next worker repeats it under the same id', async () => {
  const running = await start({ timeout_ms: 10_000 });
  receiver.response = () => undefined;
  const id = await createWithCallback();
  await expect.poll(() => receiver.deliveries.length, LONG).toBe(1);
  await running.workers[0]?.kill();
  receiver.response = (response) => void response.writeHead(200).end();
  await running.startWorker();
  await expect.poll(() => receiver.deliveries.length, { ...LONG, timeout: 60_000 }).toBe(2);
  expect(new Set(receiver.deliveries.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
  expect(receiver.deliveries[1]?.headers['webhook-id']).toBe(`evt_${id.slice('video_'.length)}`);
}, 180_000);
