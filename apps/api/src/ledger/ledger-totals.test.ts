import type { LedgerEntry } from '@sluice/ledger';
import { type RedisProxy, startRedisProxy, testRedis } from '@sluice/testkit';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerEntries, waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { chatChunk, chatResponse, type Script, sendJson } from '../../test/text-rig.ts';

const CHAT = '/v1/chat/completions';
const prices = { 'by-chat': { price: { input: 0.15, cached_input: 0.075, output: 0.6, request: 0.000_001 } } };
const clients = { eve: { budget: { usd: 5 } }, ada: { budget: { usd: 5 }, limits: { tpm: 500_000, rpm: 1_000 } } };

let proxy: RedisProxy;
let rig: LimitsRig;
afterEach(async () => {
  await rig.close();
  await proxy.close();
});

const OUTCOMES = ['usage', 'no usage', 'error', 'refusal', 'stream', 'cut', 'disconnect', 'leave'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Follows the outcome that the prompt names. */
const follow: Script = ({ body, raw }, response) => {
  const [, outcome, input, output] = /outcome:([a-z ]+):(\d+):(\d+)/.exec(raw) ?? [];
  const usage = { prompt_tokens: Number(input), completion_tokens: Number(output) };
  if (outcome === 'error') return sendJson(response, 500, { error: { message: 'down' } });
  if (outcome === 'refusal') return sendJson(response, 400, { error: { message: 'no' } });
  if (outcome === 'disconnect') return;
  if (body['stream'] !== true) {
    return sendJson(response, 200, {
      ...(chatResponse('hi') as object),
      usage: outcome === 'usage' ? usage : undefined,
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(chatChunk({ role: 'assistant', content: 'some words to count' }), () => {
    if (outcome === 'cut') response.destroy();
    else if (outcome === 'stream')
      response.end(`${chatChunk({}, 'stop')}${chatChunk({}, null, { choices: [], usage })}data: [DONE]\n\n`);
  });
};

interface Sent {
  key: keyof typeof clients;
  outcome: Outcome;
  input: number;
  output: number;
}

async function send({ key, outcome, input, output }: Sent): Promise<void> {
  const controller = new AbortController();
  const messages = [{ role: 'user', content: `outcome:${outcome}:${input}:${output}` }];
  const stream = outcome === 'stream' || outcome === 'cut' || outcome === 'leave';
  const body = {
    model: 'by-chat',
    messages,
    max_tokens: 50,
    stream,
    ...(stream && { stream_options: { include_usage: true } }),
  };
  const before = rig.upstream.requests.length;
  let isRefused = false;
  const reply = rig.post(key, CHAT, body, controller).catch(() => undefined);
  void reply.then(() => (isRefused = true));
  if (outcome === 'disconnect') {
    await expect.poll(() => isRefused || rig.upstream.requests.length > before).toBe(true);
    return controller.abort();
  }
  const response = await reply;
  if (outcome === 'leave') {
    await response?.body?.getReader().read();
    return controller.abort();
  }
  await response?.text().catch(() => undefined);
}

async function start(): Promise<void> {
  proxy = await startRedisProxy(testRedis().redisUrl);
  // Errors must not stop the calls of the upstream.
  const config = { routing: { failures: 1_000_000 } };
  rig = await limitsRig(clients, follow, { prices, config, redisUrl: proxy.url, redisTimeoutMs: 1_000 });
}

const prefix = (): string => rig.rigs[0]?.tasks.prefix ?? '';

/** An entry can be in the stream twice if a reply of Redis was lost. The store ignores ids that it has. */
async function uniqueEntries(): Promise<LedgerEntry[]> {
  const entries = await ledgerEntries(rig.redis, prefix());
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

/** Returns the sum of the entries' costs and the spending of each key. */
async function totals(): Promise<[sum: number, spent: number][]> {
  const entries = await uniqueEntries();
  const keys = Object.keys(clients);
  return Promise.all(
    keys.map(async (key): Promise<[number, number]> => {
      const own = entries.filter((entry) => entry.key === key);
      return [
        own.reduce((sum, { costNanos = Number.NaN }) => sum + costNanos, 0),
        (await rig.limiter.spending(key)).total,
      ];
    }),
  );
}

const requests = fc.array(
  fc.record({
    key: fc.constantFrom('eve' as const, 'ada' as const),
    outcome: fc.constantFrom(...OUTCOMES),
    input: fc.integer({ min: 0, max: 5_000 }),
    output: fc.integer({ min: 0, max: 5_000 }),
  }),
  { minLength: 8, maxLength: 16 },
);

describe('the entries of a key', () => {
  it('add up to the spending of its budget, whatever the outcome of its requests', async () => {
    await start();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(requests, async (sent) => {
        await Promise.all(sent.map(send));
        count += sent.length;
        await waitForEntries(rig.redis, prefix(), count);
        expect(await uniqueEntries()).toHaveLength(count);
        for (const key of Object.keys(clients)) await rig.finalSpending(key);
        for (const [sum, spent] of await totals()) expect(sum).toBe(spent);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  }, 120_000);

  it('add up even if replies of Redis are lost and connections break', async () => {
    await start();
    let count = 0;
    await fc.assert(
      fc.asyncProperty(requests, fc.integer({ min: 0, max: 20 }), async (sent, dropAt) => {
        let records = 0;
        void proxy.dropResponse((args) => args.includes('record') && records++ === dropAt % 4);
        await Promise.all(sent.map(send));
        count += sent.length;
        await expect.poll(async () => (await uniqueEntries()).length).toBe(count);
        for (const key of Object.keys(clients)) await rig.finalSpending(key);
        for (const [sum, spent] of await totals()) expect(sum).toBe(spent);
      }),
      { numRuns: 4, endOnFailure: true },
    );
  }, 120_000);
});

describe('entries during an outage of Redis', () => {
  it('arrive once when Redis is back, with and without a charge', async () => {
    const away = Promise.withResolvers<void>();
    proxy = await startRedisProxy(testRedis().redisUrl);
    rig = await limitsRig(
      { eve: { budget: { usd: 5 } }, free: {} },
      (_request, response) => void away.promise.then(() => sendJson(response, 200, chatResponse('hello'))),
      { prices, redisUrl: proxy.url, redisTimeoutMs: 500 },
    );
    const body = { model: 'by-chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 2 };
    const replies = ['eve', 'free', 'free'].map((key) => rig.post(key, CHAT, body));
    await expect.poll(() => rig.upstream.requests.length).toBe(3);
    proxy.set({ kind: 'reset' });
    await expect.poll(() => rig.rigs[0]?.logs()).toContain('redis unavailable');
    away.resolve();
    for (const reply of replies) expect((await reply).status).toBe(200);
    await expect.poll(() => rig.rigs[0]?.logs()).toContain('ledger entries wait for redis');
    expect(await ledgerEntries(rig.redis, prefix())).toEqual([]);
    proxy.set({ kind: 'none' });
    const entries = await waitForEntries(rig.redis, prefix(), 3);
    expect(entries.map(({ key }) => key).toSorted()).toEqual(['eve', 'free', 'free']);
    expect((await rig.finalSpending('eve')).total).toBe(entries.find(({ key }) => key === 'eve')?.costNanos);
    expect(await rig.rigs[0]?.metrics.render()).toMatch(/sluice_ledger_dropped_entries_total 0/);
  });
});
