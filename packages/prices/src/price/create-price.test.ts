import type { ModelPrice } from '@sluice/config';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configRates } from '../rates/config-rates.ts';
import type { Rates } from '@sluice/vendors';
import { createPrice } from './create-price.ts';
import { batchUse, type PricedUse } from './price.ts';

const usd = fc.oneof(
  fc.constantFrom(0, 0.075, 0.15, 1.25, 3, 3.75, 15, 10_000),
  fc.double({ min: 0, max: 100, noNaN: true }),
);
const count = fc.oneof(fc.nat(2_000_000), fc.constantFrom(-1, Number.NaN, 1e30));
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });

const tokenPrices = {
  input: optional(usd),
  cached_input: optional(usd),
  cache_write: optional(usd),
  cache_write_1h: optional(usd),
  audio_input: optional(usd),
  image_input: optional(usd),
  output: optional(usd),
  audio_output: optional(usd),
};
const price: fc.Arbitrary<ModelPrice> = fc.record({
  ...tokenPrices,
  tiers: optional(fc.record({ above_input_tokens: fc.nat(1_000_000), ...tokenPrices }).map((tier) => [tier])),
  service_tiers: optional(fc.record({ flex: fc.double({ min: 0, max: 3, noNaN: true }) })),
  search: optional(usd),
  request: optional(usd),
  image: optional(usd),
  video_second: optional(usd),
  characters: optional(usd),
});
const usage = fc.record({
  inputTokens: count,
  outputTokens: count,
  cachedTokens: optional(count),
  cacheWriteTokens: optional(count),
  cacheWrite1hTokens: optional(count),
  audioInputTokens: optional(count),
  imageInputTokens: optional(count),
  audioOutputTokens: optional(count),
  searches: optional(fc.nat(50)),
});
const use: fc.Arbitrary<PricedUse> = fc.record({
  usage: optional(usage),
  characters: optional(count),
  images: optional(fc.record({ count: fc.nat(20) })),
  serviceTier: optional(fc.constantFrom('flex', 'default')),
});

function priceOf(prices: ModelPrice) {
  return createPrice(configRates(prices), { from: 'config' });
}

function safe(number = 0): number {
  return number > 0 ? Math.min(number, 9e15) : 0;
}

/** The rule for prices without tiers, lifetimes, and modalities, in one expression. */
function simpleNanos(
  { input = 0, cached_input = input, cache_write = input, output = 0, ...rest }: ModelPrice,
  used: PricedUse,
) {
  const total = safe(used.usage?.inputTokens);
  const cached = Math.min(safe(used.usage?.cachedTokens), total);
  const written = Math.min(safe(used.usage?.cacheWriteTokens), total - cached);
  const metered =
    (total - cached - written) * input +
    cached * cached_input +
    written * cache_write +
    safe(used.usage?.outputTokens) * output +
    safe(used.characters) * (rest.characters ?? 0);
  return safe(Math.round(metered * 1_000 + (rest.request ?? 0) * 1e9));
}

describe('costOf', () => {
  it('has lines whose sum is the cost, in whole nano-dollars', () => {
    fc.assert(
      fc.property(price, use, (prices, used) => {
        const { nanos, lines } = priceOf(prices).costOf(used) ?? { nanos: -1, lines: [] };
        expect(lines.reduce((sum, line) => sum + line.nanos, 0)).toBe(nanos);
        expect([nanos, ...lines.map((line) => line.nanos)].every((one) => Number.isSafeInteger(one) && one >= 0)).toBe(
          true,
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('equals the simple rule, to the nano-dollar, for a price without tiers', () => {
    const simple = price.map(({ input, cached_input, cache_write, output, request, characters }) => ({
      input,
      cached_input,
      cache_write,
      output,
      request,
      characters,
    }));
    fc.assert(
      fc.property(simple, use, (prices, used) => {
        expect(priceOf(prices).costOf({ ...used, images: undefined })?.nanos).toBe(simpleNanos(prices, used));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is at most the maximum that is reserved for the same tokens without details', () => {
    fc.assert(
      fc.property(price, use, (prices, used) => {
        const { audio_input: _audio, image_input: _image, ...text } = prices;
        const estimate = { inputTokens: used.usage?.inputTokens ?? 0, outputTokens: used.usage?.outputTokens ?? 0 };
        const tiers = text.tiers?.map(({ audio_input: _a, image_input: _i, ...tier }) => tier);
        const reserved = priceOf({ ...text, tiers, service_tiers: undefined });
        const spent = { ...used, usage: used.usage && { ...used.usage, searches: 0 } };
        const cost = reserved.costOf(spent)?.nanos;
        // Parts are rounded once, but in a different order.
        expect(cost).toBeLessThanOrEqual(reserved.maxNanosOf({ ...used, usage: estimate }) * (1 + 1e-12) + 1);
      }),
      { numRuns: 1_000 },
    );
  });

  it('prices each kind of token at its rate', () => {
    const prices = {
      input: 3,
      cached_input: 0.3,
      cache_write: 3.75,
      cache_write_1h: 6,
      audio_input: 32,
      image_input: 5,
    };
    const cost = priceOf({ ...prices, output: 15, audio_output: 64, search: 0.01, request: 0.001 }).costOf({
      usage: {
        inputTokens: 1_000,
        cachedTokens: 100,
        cacheWriteTokens: 200,
        cacheWrite1hTokens: 50,
        audioInputTokens: 300,
        imageInputTokens: 40,
        outputTokens: 500,
        audioOutputTokens: 100,
        searches: 2,
      },
    });
    expect(cost?.lines).toEqual([
      { unit: 'input_tokens', quantity: 360, nanos: 1_080_000 },
      { unit: 'cached_input_tokens', quantity: 100, nanos: 30_000 },
      { unit: 'cache_write_tokens', quantity: 150, nanos: 562_500 },
      { unit: 'cache_write_1h_tokens', quantity: 50, nanos: 300_000 },
      { unit: 'audio_input_tokens', quantity: 300, nanos: 9_600_000 },
      { unit: 'image_input_tokens', quantity: 40, nanos: 200_000 },
      { unit: 'output_tokens', quantity: 400, nanos: 6_000_000 },
      { unit: 'audio_output_tokens', quantity: 100, nanos: 6_400_000 },
      { unit: 'searches', quantity: 2, nanos: 20_000_000 },
      { unit: 'requests', quantity: 1, nanos: 1_000_000 },
    ]);
  });

  it('counts cache writes without a price for an hour as other cache writes, and audio as other input', () => {
    const tokens = {
      inputTokens: 10,
      outputTokens: 4,
      cacheWriteTokens: 6,
      cacheWrite1hTokens: 6,
      audioOutputTokens: 4,
    };
    expect(priceOf({ input: 1, cache_write: 2, output: 3 }).costOf({ usage: tokens })?.lines).toEqual([
      { unit: 'input_tokens', quantity: 4, nanos: 4_000 },
      { unit: 'cache_write_tokens', quantity: 6, nanos: 12_000 },
      { unit: 'output_tokens', quantity: 4, nanos: 12_000 },
    ]);
  });

  it.each([
    [200_000, 200_000 * 1_250 + 1_000 * 10_000],
    [200_001, 200_001 * 2_500 + 1_000 * 15_000],
    [500_001, 500_001 * 5_000 + 1_000 * 15_000],
  ])('prices all tokens by the tier of %d input tokens', (inputTokens, nanos) => {
    const tiers = [
      { above_input_tokens: 200_000, input: 2.5, output: 15 },
      { above_input_tokens: 500_000, input: 5, output: 15 },
    ];
    const tiered = priceOf({ input: 1.25, output: 10, tiers });
    expect(tiered.costOf({ usage: { inputTokens, outputTokens: 1_000 } })?.nanos).toBe(nanos);
    expect(tiered.maxNanosOf({ usage: { inputTokens, outputTokens: 1_000 } })).toBe(nanos);
  });

  it('prices seconds of audio to the millisecond', () => {
    const used = { usage: { inputTokens: 0, outputTokens: 0, audioSeconds: 12.3456 } };
    expect(priceOf({ audio_second: 0.0001 }).costOf(used)).toEqual({
      nanos: 1_234_600,
      lines: [{ unit: 'audio_seconds', quantity: 12.346, nanos: 1_234_600 }],
    });
  });

  it('prices a minimum of seconds, and not a transcription of unknown length', () => {
    const priced = createPrice({ audioSecond: 0.0001, minAudioSeconds: 10 }, { from: 'config' });
    const tokens = { inputTokens: 0, outputTokens: 9 };
    expect(priced.costOf({ usage: { ...tokens, audioSeconds: 2 } })?.nanos).toBe(1_000_000);
    expect(priced.costOf({ usage: { ...tokens, audioSeconds: 0 } })?.nanos).toBe(0);
    expect(priced.costOf({ usage: tokens })).toBeUndefined();
    expect(priced.maxNanosOf({ usage: tokens })).toBe(0);
  });

  it('takes prices that a tier omits from the price', () => {
    const tiered = priceOf({ input: 1, cached_input: 0.1, output: 2, tiers: [{ above_input_tokens: 10, input: 4 }] });
    expect(tiered.costOf({ usage: { inputTokens: 20, cachedTokens: 10, outputTokens: 1 } })?.nanos).toBe(43_000);
  });

  it('multiplies only the token prices by the factor of the service tier', () => {
    const tiered = priceOf({ input: 2, output: 8, request: 0.001, service_tiers: { flex: 0.5, priority: 2 } });
    const tokens = { inputTokens: 1_000, outputTokens: 1_000 };
    const nanosOf = (serviceTier?: string) => tiered.costOf({ usage: tokens, serviceTier })?.nanos;
    expect([nanosOf(), nanosOf('flex'), nanosOf('priority'), nanosOf('default')]).toEqual([
      11_000_000, 6_000_000, 21_000_000, 11_000_000,
    ]);
  });

  it('prices a batch by its factor, whatever tier the vendor reports, but not in estimates', () => {
    const tiered = priceOf({ input: 2, output: 8, request: 0.001, service_tiers: { batch: 0.5, flex: 0.25 } });
    const live = { usage: { inputTokens: 1_000, outputTokens: 1_000, serviceTier: 'default' } };
    const batch = batchUse(live);
    expect([tiered.costOf(live)?.nanos, tiered.costOf(batch)?.nanos]).toEqual([11_000_000, 6_000_000]);
    expect(batch.usage?.serviceTier).toBe('batch');
    const estimates = [live, batch, { ...live, serviceTier: 'flex' }].map((one) => tiered.maxNanosOf(one));
    expect(estimates).toEqual([11_000_000, 11_000_000, 11_000_000]);
    expect(priceOf({ input: 2 }).costOf(batch)?.nanos).toBe(2_000_000);
    expect(tiered.costOf(batchUse({ images: { count: 1 } }))?.nanos).toBe(1_000_000);
  });

  it.each<[Rates, PricedUse]>([
    [{ images: [{ usd: 1 }] }, { usage: { inputTokens: 1, outputTokens: 0 } }],
    [{ tokens: { input: 1, cachedInput: 1, cacheWrite: 1, output: 1 } }, { characters: 5 }],
    [{ tokens: { input: 1, cachedInput: 1, cacheWrite: 1, output: 1 } }, { images: { count: 1 } }],
    [{ video: [{ resolution: '720p', usd: 1 }] }, { video: { seconds: 4, resolution: '1080p' } }],
  ])('is unknown if rates %j do not cover %j', (rates, used) => {
    const catalog = createPrice(rates, { from: 'catalog', catalog: 'c', date: '2026-01-01' });
    expect(catalog.costOf(used)).toBeUndefined();
    expect(catalog.maxNanosOf(used)).toBe(0);
  });

  it('rounds a video to full seconds, and counts the images', () => {
    const media = priceOf({ image: 0.04, video_second: 0.1, request: 0.5 });
    expect(media.costOf({ video: { seconds: 5.04 } })?.lines).toEqual([
      { unit: 'video_seconds', quantity: 5, nanos: 500_000_000 },
      { unit: 'requests', quantity: 1, nanos: 500_000_000 },
    ]);
    expect(media.costOf({ video: { seconds: 0.2 } })?.lines[0]?.quantity).toBe(1);
    expect(media.costOf({ images: { count: 3 } })?.lines[0]).toEqual({
      unit: 'images',
      quantity: 3,
      nanos: 120_000_000,
    });
  });
});
