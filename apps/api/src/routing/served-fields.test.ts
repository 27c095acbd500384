import type { Loss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { servedFields } from './record-served.ts';

it('logs at most 100 lost fields', () => {
  const losses = Array.from({ length: 500 }, (_, index): Loss => ({ field: `novel_${index}`, how: 'dropped' }));
  const { dropped } = servedFields({ target: { upstream: 'up', model: 'm' }, relayed: false, losses });
  expect(dropped).toHaveLength(100);
});
