import { describe, expect, it } from 'vitest';
import { boundedSeries } from './bounded-series.ts';

type Labels = Record<'model' | 'key' | 'status', string>;

function counters(max: number) {
  const created: Labels[] = [];
  const series = boundedSeries(
    ['model', 'key', 'status'],
    (labels: Labels) => {
      created.push(labels);
      return { count: 0 };
    },
    max,
  );
  const inc = (model: string, key: string, status = '200') => (series.of({ model, key, status }).count += 1);
  return { created, inc };
}

describe('boundedSeries', () => {
  it('creates each series once', () => {
    const { created, inc } = counters(10);
    expect([inc('a', 'one'), inc('a', 'two'), inc('a', 'one')]).toEqual([1, 1, 2]);
    expect(created).toHaveLength(2);
  });

  it('folds the key of new combinations at the limit, and keeps existing ones', () => {
    const { created, inc } = counters(2);
    for (const key of ['one', 'two', 'three', 'four', 'one']) inc('a', key);
    expect(created.map(({ key }) => key)).toEqual(['one', 'two', 'other']);
    expect(inc('a', 'one')).toBe(3);
    expect(inc('a', 'five')).toBe(3);
  });

  it('folds the model at twice the limit, and never labels that the code fixes', () => {
    const { created, inc } = counters(1);
    for (const model of ['a', 'b', 'c', 'd']) for (const status of ['200', '429']) inc(model, 'one', status);
    expect(created).toEqual([
      { model: 'a', key: 'one', status: '200' },
      { model: 'a', key: 'other', status: '429' },
      { model: 'other', key: 'other', status: '200' },
      { model: 'other', key: 'other', status: '429' },
    ]);
    for (let n = 0; n < 1_000; n += 1) inc(`model ${n}`, `key ${n}`);
    expect(created).toHaveLength(4);
  });

  it('has 1,000 series before it folds keys', () => {
    const created: string[] = [];
    const series = boundedSeries(['key'], ({ key }) => created.push(key));
    for (let n = 0; n < 3_000; n += 1) series.of({ key: `key ${n}` });
    expect(created.length).toBe(1_001);
    expect(created.at(-1)).toBe('other');
  });
});
