import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { BatchParams } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchesRig, batchesRig, LONG } from '../../test/batches-rig.ts';

const LINES = 40;

let vendor: Server;
/** How often the vendor received each text. */
let received: Map<string, number>;
/** Texts that the vendor refuses once. */
let limited: Set<string>;
let rig: BatchesRig;

beforeEach(async () => {
  [received, limited] = [new Map(), new Set()];
  vendor = await startVendor();
  const { port } = vendor.address() as AddressInfo; // It listens on TCP.
  rig = await batchesRig({
    keys: [{ name: 'alice', key: 'sk-alice-key' }],
    upstreams: {
      chat: { kind: 'chat-completions', base_url: `http://127.0.0.1:${port}/v1`, api_key: 'sk-vendor' },
    },
    models: [
      { id: 'small', routes: [{ upstream: 'chat', model: 'small' }], price: { input: 1, output: 2 } },
      { id: 'free', routes: [{ upstream: 'chat', model: 'small' }] },
    ],
  });
});
afterEach(async () => {
  await rig.close();
  vendor.close();
});

async function startVendor(): Promise<Server> {
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  // The cast is safe because the gateway sends this format.
  const body = (await json(request)) as { messages: { content: string }[] };
  const text = body.messages[0]?.content ?? '';
  const isLimited = limited.delete(text);
  if (!isLimited) received.set(text, (received.get(text) ?? 0) + 1);
  response.writeHead(isLimited ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify(isLimited ? { error: { message: 'Too many requests' } } : chatResponse(text)));
}

function chatResponse(text: string): unknown {
  const message = { role: 'assistant', content: `You said ${text}.` };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'small', choices, usage };
}

function create(endpoint: string, params: Partial<BatchParams>, body: (text: string) => object) {
  return rig.create(
    endpoint,
    Array.from({ length: LINES }, (_, at) => body(`text ${at}`)),
    params,
  );
}

const messages = (text: string) => ({ model: 'small', messages: [{ role: 'user', content: text }] });

describe('a worker with batches', () => {
  it(
    'sends each line once through the API, with labels and ledger entries, and repeats refused lines',
    LONG,
    async () => {
      limited.add('text 3').add('text 20');
      const batch = await create('/v1/chat/completions', { labels: { team: 'search' } }, messages);
      const { status, counts, costNanos, unpriced } = await rig.ended(batch);
      expect([status, counts.completed]).toEqual(['completed', LINES]);
      expect([...received.values()]).toEqual(Array.from({ length: LINES }, () => 1));
      await expect.poll(async () => (await rig.entries(batch)).length, LONG).toBeGreaterThanOrEqual(LINES);
      const paid = (await rig.entries(batch)).filter((entry) => (entry.costNanos ?? 0) > 0);
      expect(paid.length).toBe(LINES);
      const sum = paid.reduce((total, entry) => total + (entry.costNanos ?? 0), 0);
      expect([sum, costNanos, unpriced]).toEqual([LINES * 20_000, LINES * 20_000, undefined]);
      expect(new Set(paid.map(({ key, labels }) => `${key} ${labels?.['team']}`))).toEqual(new Set(['alice search']));
      const text = await rig.metrics.worker.render();
      expect(text).toMatch(/^sluice_batch_lines_total\{result="completed"\} \d+$/m);
      expect(text).toMatch(/^sluice_batch_slots\{upstream="chat"\} \d+$/m);
      expect(text).toMatch(/^sluice_batch_lines_in_flight\{upstream="chat"\} 0$/m);
    },
  );

  it('shows a cost without the responses whose price is unknown', LONG, async () => {
    const batch = await rig.ended(
      await create('/v1/chat/completions', {}, (text) => ({ ...messages(text), model: 'free' })),
    );
    expect(batch).toMatchObject({ status: 'completed', costNanos: 0, unpriced: true });
  });

  it('translates lines to the upstream, and their responses back', LONG, async () => {
    const headers = { 'anthropic-version': '2023-06-01' };
    const params = { protocol: 'anthropic', headers } as const;
    const batch = await create('/v1/messages', params, (text) => ({ ...messages(text), max_tokens: 10 }));
    const results = await rig.results(await rig.ended(batch));
    expect(results.get('line-7')?.response).toMatchObject({
      status_code: 200,
      body: { type: 'message', content: [{ type: 'text', text: 'You said text 7.' }] },
    });
  });
});
