import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeModelPaging, modelPage, pageTokenAfter } from './model-page.ts';

const ALL = ['a', 'b/1', 'c', 'd:2', 'é'].map((id) => ({ id }));

function ids(style: 'default' | 'generative', query: Record<string, unknown>): string {
  const { models, hasMore } = modelPage(ALL, decodeModelPaging(style, query));
  return `${models.map(({ id }) => id).join(' ')}${hasMore ? ' …' : ''}`;
}

/** Reads all pages. */
function walk(style: 'default' | 'generative', limit: number): string[] {
  const seen: string[] = [];
  let query: Record<string, string> = {};
  for (;;) {
    const { models, hasMore } = modelPage(ALL, decodeModelPaging(style, { limit, pageSize: limit, ...query }));
    seen.push(...models.map(({ id }) => id));
    if (!hasMore || seen.length > ALL.length) return seen;
    const last = models.at(-1)?.id ?? '';
    query = style === 'default' ? { after_id: last } : { pageToken: pageTokenAfter(last) };
  }
}

describe('a page of models', () => {
  it.each<[Record<string, unknown>, string]>([
    [{}, 'a b/1 c d:2 é'],
    [{ limit: '1000' }, 'a b/1 c d:2 é'],
    [{ limit: '99999' }, 'a b/1 c d:2 é'],
    [{ limit: '2' }, 'a b/1 …'],
    [{ limit: '2', after_id: 'b/1' }, 'c d:2 …'],
    [{ limit: '2', after_id: 'c' }, 'd:2 é'],
    [{ after_id: 'é' }, ''],
    [{ limit: '2', before_id: 'd:2' }, 'b/1 c …'],
    [{ limit: '3', before_id: 'd:2' }, 'a b/1 c'],
    [{ before_id: 'a' }, ''],
    [{ limit: '1', after_id: 'a', before_id: 'é' }, 'b/1 …'],
  ])('for %j', (query, expected) => {
    expect(ids('default', query)).toBe(expected);
  });

  it.each([{ limit: '0' }, { limit: '-1' }, { limit: 'x' }, { limit: '1.5' }, { limit: ['1', '2'] }])(
    'is rejected for %j',
    (query) => {
      expect(() => ids('default', query)).toThrow(expect.objectContaining({ code: 'invalid_request', param: 'limit' }));
    },
  );

  it.each([
    ['default', { after_id: 'z' }, 'after_id'],
    ['default', { before_id: 'z' }, 'before_id'],
    ['default', { after_id: ['a', 'b'] }, 'after_id[0]'],
    ['generative', { pageToken: 'z' }, 'pageToken'],
    ['generative', { pageSize: '-1' }, 'pageSize'],
  ] as const)('names the invalid field: %s %j', (style, query, param) => {
    const field = param.replace('[0]', '');
    expect(() => ids(style, query)).toThrow(expect.objectContaining({ code: 'invalid_request', param: field }));
  });

  it('treats 0 and the empty token as "not set" in the generative style', () => {
    expect(ids('generative', { pageSize: '0', pageToken: '' })).toBe('a b/1 c d:2 é');
  });

  it('page by page returns every model once, in order, in both styles', () => {
    fc.assert(
      fc.property(fc.constantFrom('default', 'generative'), fc.integer({ min: 1, max: 7 }), (style, limit) => {
        expect(walk(style, limit)).toEqual(ALL.map(({ id }) => id));
      }),
    );
  });
});
