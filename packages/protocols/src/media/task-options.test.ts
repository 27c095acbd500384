import { describe, expect, it } from 'vitest';
import { decodeTaskOptions } from './task-options.ts';

describe('decodeTaskOptions', () => {
  it('removes the options from the fields, except the user, whom some vendors accept', () => {
    const labels = { project: 'kites', 'team/a': '' };
    expect(decodeTaskOptions({ prompt: 'a', user: 'u1', labels, priority: '7' })).toEqual({
      fields: { prompt: 'a', user: 'u1' },
      options: { user: 'u1', labels, priority: 7 },
    });
  });

  it('reads labels that a form sends as JSON text', () => {
    expect(decodeTaskOptions({ labels: '{"a":"b"}' }).options).toEqual({ labels: { a: 'b' } });
  });

  it.each([{}, { user: null, labels: null, priority: null }, { user: '', labels: {}, priority: 0 }, { priority: '' }])(
    'has no options for %j',
    (fields) => {
      expect(decodeTaskOptions(fields).options).toEqual({});
    },
  );

  it('leaves values of other types to vendors, whose options can have the same names', () => {
    for (const fields of [
      { labels: ['a'], priority: 'high', user: 7 },
      { labels: 'cat,dog', priority: 0.5, user: { id: 'u1' } },
      { labels: { a: 1 }, priority: true, user: 'x'.repeat(513) },
    ]) {
      expect(decodeTaskOptions({ prompt: 'a', ...fields })).toEqual({
        fields: { prompt: 'a', ...fields },
        options: {},
      });
    }
  });

  it.each([
    { priority: 101 },
    { labels: { 'a b': 'x' } },
    { labels: { a: 'x'.repeat(513) } },
    { labels: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, ''])) },
  ])('rejects %j', (fields) => {
    expect(() => decodeTaskOptions(fields)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it.each([undefined, null, 'text', [1]])('leaves %j to the protocol', (fields) => {
    expect(decodeTaskOptions(fields)).toEqual({ fields, options: {} });
  });
});
