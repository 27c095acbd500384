import { describe, expect, it } from 'vitest';
import { parseBaseUrl, pathBelow, safePathBelow } from './base-url.ts';

describe('base URL', () => {
  it.each([
    ['https://a.example', { origin: 'https://a.example', path: '', search: '' }],
    ['http://a.example:81/x/v1//', { origin: 'http://a.example:81', path: '/x/v1', search: '' }],
    ['https://a.example//openai/v1', { origin: 'https://a.example', path: '/openai/v1', search: '' }],
    ['https://a.example/v1?v=2#x', { origin: 'https://a.example', path: '/v1', search: '?v=2' }],
  ])('parses %s', (text, base) => {
    expect(parseBaseUrl(text)).toEqual(base);
  });

  it('refuses an invalid one', () => {
    expect(() => parseBaseUrl('nonsense')).toThrow(TypeError);
  });
});

describe('path below it', () => {
  it.each([
    ['https://a/v1', '/chat', '/v1/chat'],
    ['https://a', '/chat?b=1', '/chat?b=1'],
    ['https://a/v1?k=2', '/chat', '/v1/chat?k=2'],
    ['https://a/v1?k=2', '/chat?b=1', '/v1/chat?b=1&k=2'],
  ])('of %s and %s is %s', (base, path, whole) => {
    expect(pathBelow(parseBaseUrl(base), path)).toBe(whole);
  });

  it('stays below it for any client input', () => {
    const base = parseBaseUrl('https://a/v1?k=2');
    expect(safePathBelow(base, '/resp_1?a=b')).toBe('/v1/resp_1?a=b&k=2');
    for (const path of ['/..', '/.', '/%2E%2e/x', '/a/../../x', '/a\\..\\..', '/a#b', '/ü', 'x', ''])
      expect(safePathBelow(base, path)).toBeUndefined();
  });
});
