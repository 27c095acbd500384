import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedis, testRedis } from '@sluice/testkit';
import { startTextStack, type TextStack } from '../text/text-stack.ts';

/** Each test has its own key, because each test exhausts its key's limit. */
const KEYS = {
  openai: 'sk-e2e-limits-openai',
  anthropic: 'sk-e2e-limits-anthropic',
  waiting: 'sk-e2e-limits-waiting',
  exhausted: 'sk-e2e-limits-exhausted',
};

const { redisUrl, prefix } = testRedis();
let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack({
    redis: { prefix },
    keys: [
      { name: 'openai', key: KEYS.openai, limits: { rpm: 1, tpm: 50_000 } },
      { name: 'anthropic', key: KEYS.anthropic, limits: { rpm: 1 } },
      { name: 'waiting', key: KEYS.waiting, limits: { rpm: 1 } },
      { name: 'exhausted', key: KEYS.exhausted, budget: { usd: 0.000_001 } },
    ],
    models: [
      { id: 'sandbox-chat', routes: [{ upstream: 'sandbox-chat', model: 'sandbox-chat' }], price: { request: 1 } },
      { id: 'sandbox-messages', routes: [{ upstream: 'sandbox-messages', model: 'sandbox-messages' }] },
    ],
  });
});
afterAll(() => stack.close());

/** A `fetch` that counts its requests. */
function counting(): { fetch: typeof fetch; sent: number } {
  const counter = {
    sent: 0,
    fetch: ((input, init) => {
      counter.sent += 1;
      return fetch(input, init);
    }) as typeof fetch,
  };
  return counter;
}

/** Simulates the passing of time by moving the key's recorded usage into the past. */
async function letTimePass(client: string, seconds: number): Promise<void> {
  const redis = openRedis(redisUrl);
  const key = `{${prefix}}:rate:${client}`;
  const used = Object.entries(await redis.hgetall(key)).map(([slot, amount]) => [
    `${slot.slice(0, 1)}${Number(slot.slice(1)) - seconds}`,
    slot.startsWith('l') ? Number(amount) - seconds * 1_000 : amount,
  ]);
  await redis
    .multi()
    .del(key)
    .hset(key, ...used.flat())
    .exec();
  redis.disconnect();
}

const messages = [{ role: 'user' as const, content: 'hello' }];

function openai(apiKey: string, options: { maxRetries: number; fetch?: typeof fetch }): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stack.origin}/v1`, ...options });
}

function anthropic(apiKey: string, options: { maxRetries: number; fetch?: typeof fetch }): Anthropic {
  return new Anthropic({ apiKey, baseURL: stack.origin, ...options });
}

describe('the OpenAI SDK', () => {
  it('exposes the rate limits of responses, and throws its own error with them when they are exceeded', async () => {
    const client = openai(KEYS.openai, { maxRetries: 0 });
    const request = () => client.chat.completions.create({ model: 'sandbox-messages', messages, max_tokens: 20 });
    const { response } = await request().withResponse();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('1');
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toMatch(/^49\d{3}$/);
    const rejection: unknown = await request().catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(OpenAI.RateLimitError);
    const { code, type, headers } = rejection as InstanceType<typeof OpenAI.RateLimitError>;
    expect([code, type]).toEqual(['rate_limit_exceeded', 'rate_limit_error']);
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0');
    expect(Number(headers.get('retry-after-ms'))).toBeGreaterThan(1_000);
  });

  it('waits for the requested time, and its retry succeeds', async () => {
    const counter = counting();
    const client = openai(KEYS.waiting, { maxRetries: 2, fetch: counter.fetch });
    const request = () => client.chat.completions.create({ model: 'sandbox-messages', messages });
    await request();
    await letTimePass('waiting', 56);
    const reply = await request();
    expect(reply.choices[0]?.finish_reason).toBe('stop');
    // The first request, a rejected request, and a retry after the rest of the minute.
    expect(counter.sent).toBe(3);
  });

  it('does not retry when the budget is exhausted', async () => {
    const counter = counting();
    const client = openai(KEYS.exhausted, { maxRetries: 5, fetch: counter.fetch });
    const rejection: unknown = await client.chat.completions
      .create({ model: 'sandbox-chat', messages })
      .catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(OpenAI.RateLimitError);
    expect(rejection).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    expect(counter.sent).toBe(1);
  });
});

describe('the Anthropic SDK', () => {
  it('exposes the rate limits of responses, and throws its own error with them when they are exceeded', async () => {
    const client = anthropic(KEYS.anthropic, { maxRetries: 0 });
    const request = () => client.messages.create({ model: 'sandbox-messages', messages, max_tokens: 20 });
    const { response } = await request().withResponse();
    expect(response.headers.get('anthropic-ratelimit-requests-limit')).toBe('1');
    expect(Date.parse(response.headers.get('anthropic-ratelimit-requests-reset') ?? '')).toBeGreaterThan(Date.now());
    const rejection: unknown = await request().catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(Anthropic.RateLimitError);
    const { type, headers } = rejection as InstanceType<typeof Anthropic.RateLimitError>;
    expect(type).toBe('rate_limit_error');
    expect(headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('does not retry when the budget is exhausted', async () => {
    const counter = counting();
    const client = anthropic(KEYS.exhausted, { maxRetries: 5, fetch: counter.fetch });
    const rejection: unknown = await client.messages
      .create({ model: 'sandbox-chat', messages, max_tokens: 20 })
      .catch((error: unknown) => error);
    expect(rejection).toBeInstanceOf(Anthropic.RateLimitError);
    expect(counter.sent).toBe(1);
  });
});
