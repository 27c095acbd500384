import { describe, expect, it } from 'vitest';
import { pageOfList } from './page-of-list.ts';

const objects = Array.from({ length: 5 }, (_, index) => ({ id: String(index) }));

function page(query: Record<string, unknown>): [string, boolean] {
  const { items, hasMore } = pageOfList(objects, query, { max: 100, otherwise: 20 });
  return [items.map(({ id }) => id).join(''), hasMore];
}

describe('pageOfList', () => {
  it('lists the newest first', () => {
    expect(page({})).toEqual(['43210', false]);
    expect(page({ order: 'asc' })).toEqual(['01234', false]);
  });

  it('walks in pages, each object once', () => {
    expect(page({ limit: '2' })).toEqual(['43', true]);
    expect(page({ limit: '2', after: '3' })).toEqual(['21', true]);
    expect(page({ limit: '2', after: '1' })).toEqual(['0', false]);
    expect(page({ limit: '2', after: '0' })).toEqual(['', false]);
    expect(page({ limit: '2', after: '1', order: 'asc' })).toEqual(['23', true]);
  });

  it.each([{ limit: '0' }, { limit: '101' }, { limit: 'all' }, { order: 'up' }, { after: 'unknown' }])(
    'rejects %j',
    (query) => {
      expect(() => page(query)).toThrow(Object.keys(query)[0]);
    },
  );
});
