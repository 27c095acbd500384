import { calcPrice } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPriceBook } from './price-book.ts';
import { batchUse } from './price/price.ts';
import { NANOS_PER_USD } from './price/nanos.ts';

const NOW = Date.UTC(2026, 9, 1, 12);

const upstreams = {
  openai: { kind: 'chat-completions', base_url: 'https://api.openai.com/v1' },
  anthropic: { kind: 'messages', base_url: 'https://api.anthropic.com' },
  google: { kind: 'generative-content', base_url: 'https://generativelanguage.googleapis.com' },
  veo: { kind: 'veo', base_url: 'https://generativelanguage.googleapis.com' },
  deepseek: { kind: 'chat-completions', base_url: 'https://api.deepseek.com/v1' },
  cohere: { kind: 'cohere', base_url: 'https://api.cohere.com' },
  azure: { kind: 'chat-completions', base_url: 'https://sluice.openai.azure.com/openai/v1' },
  bedrock: { kind: 'bedrock', base_url: 'https://bedrock-runtime.us-east-1.amazonaws.com' },
  own: { kind: 'chat-completions', base_url: 'https://llm.example.com/v1' },
  local: { kind: 'chat-completions', base_url: 'http://127.0.0.1:8000/v1' },
} as const;

function book(now = () => NOW) {
  return createPriceBook({ upstreams }, { now });
}

function priceOf(name: string, model: string, price = {}) {
  return book().priceOf({ price }, { upstream: name, model });
}

describe('createPriceBook', () => {
  it("prefers the configuration's price", () => {
    const price = priceOf('openai', 'gpt-5.1', { input: 7 });
    expect(price?.source).toEqual({ from: 'config' });
    expect(price?.costOf({ usage: { inputTokens: 10, outputTokens: 10 } })?.nanos).toBe(70_000);
  });

  it('finds the price of the upstream and its model, with its source', () => {
    const price = priceOf('openai', 'gpt-5.1');
    expect(price?.source).toEqual({
      from: 'catalog',
      catalog: '@pydantic/genai-prices 0.1.8',
      date: '2026-09-23',
      url: 'https://developers.openai.com/api/docs/pricing',
    });
    const usage = { inputTokens: 1_000, outputTokens: 100 };
    expect(price?.costOf({ usage })?.nanos).toBe(1_000 * 1_250 + 100 * 10_000);
    const half = (1_000 * 1_250 + 100 * 10_000) / 2;
    expect(price?.costOf({ usage, serviceTier: 'flex' })?.nanos).toBe(half);
    expect(price?.costOf({ usage: { ...usage, serviceTier: 'flex' } })?.nanos).toBe(half);
  });

  it.each([
    ['own', 'gpt-5.1'],
    ['local', 'gpt-5.1'],
    ['openai', 'unknown-model'],
    ['missing', 'gpt-5.1'],
    ['veo', 'veo-99'],
  ])('has no price at %s for %s', (name, model) => {
    expect(priceOf(name, model)).toBeUndefined();
  });

  it('marks prices that were not compared with the page of the vendor', () => {
    expect(priceOf('veo', 'veo-3.1-fast-generate-preview')?.source).toMatchObject({
      catalog: 'sluice',
      url: 'https://ai.google.dev/gemini-api/docs/pricing',
      via: expect.stringContaining('LiteLLM'),
    });
  });

  it.each([
    ['veo-3.1-generate-preview', {}, 0.4],
    ['veo-3.1-generate-preview', { resolution: '4k' }, 0.6],
    ['veo-3.1-fast-generate-preview', {}, 0.1],
    ['veo-3.1-fast-generate-preview', { resolution: '1920x1080' }, 0.12],
  ])('prices a second of %s with %j at %d dollars', (model, traits, usd) => {
    const rates = priceOf('veo', model)?.mediaRatesOf({ video: { seconds: 8, ...traits } });
    expect(rates).toEqual({ taskNanos: 0, unitNanos: usd * NANOS_PER_USD, maxNanos: 8 * usd * NANOS_PER_USD });
  });

  it.each([
    ['openai', 'gpt-5.1'],
    ['anthropic', 'claude-opus-4-5'],
    ['google', 'gemini-2.5-pro'],
    ['azure', 'gpt-4.1'],
    ['bedrock', 'amazon.nova-pro-v1:0'],
  ])('prices batches of %s at half', (name, model) => {
    const price = priceOf(name, model);
    const use = { usage: { inputTokens: 2_000, cachedTokens: 1_000, outputTokens: 500 } };
    expect(price?.costOf(batchUse(use))?.nanos).toBe((price?.costOf(use)?.nanos ?? 0) / 2);
  });

  it('combines prices of tokens and of images', () => {
    const price = priceOf('google', 'gemini-3-pro-image');
    const usage = { inputTokens: 1_000, outputTokens: 1_200, imageOutputTokens: 1_120 };
    expect(price?.costOf({ usage })?.nanos).toBe(1_000 * 2_000 + 80 * 12_000 + 1_120 * 120_000);
    expect(price?.costOf({ images: { count: 1 } })?.nanos).toBe(134_000_000);
    expect(price?.costOf({ images: { count: 1, size: '4096x4096' } })?.nanos).toBe(240_000_000);
    expect(price?.source).toMatchObject({ catalog: '@pydantic/genai-prices 0.1.8 and sluice', date: '2026-09-20' });
  });

  it('does not price characters of a model that is priced by tokens', () => {
    const use = { usage: { inputTokens: 25, outputTokens: 0 }, characters: 100 };
    expect(priceOf('openai', 'gpt-4o-mini-tts')?.costOf({ characters: 100 })).toBeUndefined();
    expect(priceOf('openai', 'gpt-4o-mini-tts')?.costOf(use)).toBeUndefined();
    const reported = { ...use, usage: { inputTokens: 25, outputTokens: 50 } };
    expect(priceOf('openai', 'gpt-4o-mini-tts')?.costOf(reported)?.nanos).toBe(25 * 600 + 50 * 12_000);
  });

  it('prices the characters of speech, whatever its tokens', () => {
    const use = { usage: { inputTokens: 25, outputTokens: 0 }, characters: 100 };
    const price = priceOf('openai', 'tts-1');
    expect([price?.costOf(use)?.nanos, price?.maxNanosOf(use)]).toEqual([1_500_000, 1_500_000]);
    expect(price?.costOf({ characters: 100 })?.nanos).toBe(1_500_000);
  });

  it('prices a search of reranking, which has no tokens', () => {
    expect(priceOf('cohere', 'rerank-v3.5')?.costOf({})?.nanos).toBe(2_000_000);
  });

  it('prices moderations at zero', () => {
    expect(priceOf('openai', 'omni-moderation-latest')?.costOf({ usage: { inputTokens: 9, outputTokens: 0 } })).toEqual(
      {
        nanos: 0,
        lines: [],
      },
    );
  });

  it.each([
    [[{ upstream: 'openai', model: 'gpt-5.1' }], true],
    [[{ upstream: 'openai', model: '*' }], true],
    [[{ upstream: 'veo', model: '*' }], true],
    [
      [
        { upstream: 'openai', model: 'gpt-5.1' },
        { upstream: 'own', model: 'gpt-5.1' },
      ],
      false,
    ],
    [[{ upstream: 'local', model: '*' }], false],
    [[{ upstream: 'openai', model: 'unknown-model' }], false],
  ])('knows whether the catalog has the prices of %j', (routes, isKnown) => {
    expect(book().hasCatalogPrices({ routes })).toBe(isKnown);
  });

  it('follows prices that change with the time of day', () => {
    let now = Date.UTC(2026, 9, 1, 12);
    const prices = book(() => now);
    const nanos = () => {
      const price = prices.priceOf({}, { upstream: 'deepseek', model: 'deepseek-v4-pro' });
      return price?.costOf({ usage: { inputTokens: 1_000_000, outputTokens: 0 } })?.nanos;
    };
    const hours = Array.from({ length: 24 }, (_, hour) => {
      now = Date.UTC(2026, 9, 1, hour, 30);
      return nanos();
    });
    expect(new Set(hours).size).toBeGreaterThan(1);
  });

  it('equals the calculation of the catalog, whatever the usage', () => {
    const models: [keyof typeof upstreams, string, string][] = [
      ['openai', 'openai', 'gpt-5.1'],
      ['openai', 'openai', 'gpt-realtime'],
      ['anthropic', 'anthropic', 'claude-opus-4-5'],
      ['anthropic', 'anthropic', 'claude-sonnet-4-5'],
      ['google', 'google', 'gemini-2.5-pro'],
      ['google', 'google', 'gemini-3-pro-image'],
    ];
    const tokens = fc.nat(150_000);
    const use = fc.record({ plain: tokens, cached: tokens, written: tokens, hour: fc.nat(100), output: tokens });
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        use,
        ([name, providerId, model], { plain, cached, written, hour, output }) => {
          const inputTokens = plain + cached + written + hour;
          const isAnthropic = name === 'anthropic';
          const usage = { inputTokens, outputTokens: output, cachedTokens: cached, cacheWriteTokens: written + hour };
          const cost = priceOf(name, model)?.costOf({
            usage: { ...usage, cacheWrite1hTokens: isAnthropic ? hour : 0 },
          });
          const known = {
            input_tokens: inputTokens,
            output_tokens: output,
            cache_read_tokens: cached,
            cache_write_tokens: written + hour,
            ...(isAnthropic && { cache_write_1h_tokens: hour }),
          };
          const expected = calcPrice(known, model, { providerId, timestamp: new Date(NOW) })?.total_price ?? -1;
          expect(Math.abs((cost?.nanos ?? 0) - expected * NANOS_PER_USD)).toBeLessThanOrEqual(1);
        },
      ),
      { numRuns: 300 },
    );
  });
});
