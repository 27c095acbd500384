import type { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { expectKinds, type Kinds } from './expect-kinds.ts';

const KINDS: Kinds = { name: 'string', size: 'number', data: 'object', parts: [{ text: 'string' }] };

describe('expectKinds', () => {
  it.each([
    {},
    { name: 'a', size: 1, data: {}, parts: [{ text: '' }, {}] },
    { name: null, parts: null, other: [] },
    null,
  ])('accepts %j', (value) => {
    expect(() => expectKinds(value, KINDS, '')).not.toThrow();
  });

  it.each([
    [{ name: 1 }, 'name'],
    [{ size: '1' }, 'size'],
    [{ data: [] }, 'data'],
    [{ parts: {} }, 'parts'],
    [{ parts: [{ text: 'a' }, { text: 5 }] }, 'parts[1][text]'],
    [{ parts: ['a'] }, 'parts[0]'],
  ])('names the invalid field in %j', (value, param) => {
    expect(() => expectKinds(value, KINDS, '')).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }) as GatewayError,
    );
  });
});
