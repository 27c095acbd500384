import { ConfigSchema } from '@sluice/config';
import { createMetrics } from '@sluice/telemetry';
import { describe, expect, it } from 'vitest';
import { apiKeyOf } from '../auth/api-keys.ts';
import { meterUsage } from './meter-usage.ts';

function requestOf(price?: Record<string, number>): Parameters<typeof meterUsage>[1] {
  const { models, keys } = ConfigSchema.parse({
    keys: [{ name: 'alice', key: 'sk-alice-secret' }],
    models: [{ id: 'gpt-*', routes: [{ upstream: 'odd', model: '*' }], ...(price && { price }) }],
  });
  const [key] = keys;
  return { apiKey: key && apiKeyOf(key), configuredModel: models[0] };
}

async function linesAbout(metrics: ReturnType<typeof createMetrics>, name: string): Promise<string[]> {
  return (await metrics.render()).split('\n').filter((line) => line.startsWith(`${name}{`));
}

describe('meterUsage', () => {
  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'counts no tokens and does not fail for a reported %d',
    async (odd) => {
      const metrics = createMetrics();
      const usage = { inputTokens: odd, outputTokens: 2, cachedTokens: odd };
      meterUsage(metrics, requestOf({ input: 1 }), 'odd', { usage });
      for (const family of ['sluice_text_tokens_total', 'sluice_tokens_total']) {
        const lines = await linesAbout(metrics, family);
        expect(lines.map((line) => [/direction="(\w+)"/.exec(line)?.[1], line.split(' ')[1]])).toEqual([
          ['input', '0'],
          ['output', '2'],
        ]);
      }
    },
  );

  it('counts tokens and cost by the configured model, the name of the key, and the upstream', async () => {
    const metrics = createMetrics();
    const usage = { inputTokens: 1_000, cachedTokens: 400, outputTokens: 100 };
    const request = requestOf({ input: 10, cached_input: 1, output: 100, request: 0.5 });
    meterUsage(metrics, request, 'odd', { usage });
    const labels = 'model="gpt-*",key="alice",upstream="odd"';
    expect(await linesAbout(metrics, 'sluice_tokens_total')).toEqual([
      `sluice_tokens_total{${labels},direction="input"} 1000`,
      `sluice_tokens_total{${labels},direction="output"} 100`,
    ]);
    expect(await linesAbout(metrics, 'sluice_cached_input_tokens_total')).toEqual([
      `sluice_cached_input_tokens_total{${labels}} 400`,
    ]);
    expect(await linesAbout(metrics, 'sluice_cost_usd_total')).toEqual([
      `sluice_cost_usd_total{${labels}} ${0.5 + (600 * 10 + 400 * 1 + 100 * 100) / 1e6}`,
    ]);
  });

  it('counts the price of a request without reported usage, and no cost without a price', async () => {
    const metrics = createMetrics();
    meterUsage(metrics, requestOf(), 'odd', { usage: { inputTokens: 9, outputTokens: 9 } });
    expect(await linesAbout(metrics, 'sluice_cost_usd_total')).toEqual([]);
    meterUsage(metrics, requestOf({ request: 0.25, characters: 2 }), 'odd', { characters: 500_000 });
    expect(await linesAbout(metrics, 'sluice_cost_usd_total')).toEqual([expect.stringMatching(/ 1\.25$/)]);
  });
});
