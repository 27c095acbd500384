import { createMetrics } from '@sluice/telemetry';
import { expect, it } from 'vitest';
import { meterUsage } from './meter-usage.ts';

it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
  'counts no tokens and does not fail for a reported %d',
  async (odd) => {
    const metrics = createMetrics();
    meterUsage(metrics, 'odd', { inputTokens: odd, outputTokens: 2 });
    const lines = (await metrics.render()).split('\n').filter((line) => line.includes('upstream="odd"'));
    expect(lines.map((line) => [/direction="(\w+)"/.exec(line)?.[1], line.split(' ')[1]])).toEqual([
      ['input', '0'],
      ['output', '2'],
    ]);
  },
);
