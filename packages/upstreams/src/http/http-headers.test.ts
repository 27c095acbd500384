import { expect, it } from 'vitest';
import { responseHeaders, contentLength, sendableHeaders } from './http-headers.ts';

it('sends only listed headers', () => {
  const headers = { accept: 'a', cookie: 'c', host: 'h' };
  expect(sendableHeaders(headers)).toEqual({ accept: 'a' });
});

it('keeps only listed response headers, the first of each', () => {
  expect(responseHeaders({ 'retry-after': ['1', '2'], 'set-cookie': ['a'], server: 'x' })).toEqual({
    'retry-after': '1',
  });
});

it('ignores an invalid content length', () => {
  expect(contentLength({ 'content-length': '12' })).toBe(12);
  expect(['-1', '1e3', '', '99999999999999999999'].map((text) => contentLength({ 'content-length': text }))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
