import { ConfigSchema } from '@sluice/config';
import { createMetrics } from '@sluice/telemetry';
import { describe, expect, it } from 'vitest';
import { apiKeyOf } from '../auth/api-keys.ts';
import { meterUsage } from './meter-usage.ts';

function requestOf(): Parameters<typeof meterUsage>[1] {
  const { models, keys } = ConfigSchema.parse({
    keys: [{ name: 'alice', key: 'sk-alice-secret' }],
    models: [{ id: 'gpt-*', routes: [{ upstream: 'odd', model: '*' }] }],
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
      meterUsage(metrics, requestOf(), 'odd', usage);
      for (const family of ['sluice_text_tokens_total', 'sluice_tokens_total']) {
        const lines = await linesAbout(metrics, family);
        expect(lines.map((line) => [/direction="(\w+)"/.exec(line)?.[1], line.split(' ')[1]])).toEqual([
          ['input', '0'],
          ['output', '2'],
        ]);
      }
    },
  );

  it('counts tokens by the configured model, the name of the key, and the upstream', async () => {
    const metrics = createMetrics();
    const usage = { inputTokens: 1_000, cachedTokens: 400, outputTokens: 100 };
    meterUsage(metrics, requestOf(), 'odd', usage);
    const labels = 'model="gpt-*",key="alice",upstream="odd"';
    expect(await linesAbout(metrics, 'sluice_tokens_total')).toEqual([
      `sluice_tokens_total{${labels},direction="input"} 1000`,
      `sluice_tokens_total{${labels},direction="output"} 100`,
    ]);
    expect(await linesAbout(metrics, 'sluice_cached_input_tokens_total')).toEqual([
      `sluice_cached_input_tokens_total{${labels}} 400`,
    ]);
  });

  it('counts nothing without reported usage', async () => {
    const metrics = createMetrics();
    meterUsage(metrics, requestOf(), 'odd', undefined);
    expect(await linesAbout(metrics, 'sluice_tokens_total')).toEqual([]);
  });
});
