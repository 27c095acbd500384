import { expect, it } from 'vitest';
import { checkDepth } from './check-depth.ts';

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

it('a body of ordinary depth passes, whatever it is', () => {
  for (const body of [undefined, null, 'text', { a: { b: [1, { c: null }] } }, nested(100)]) {
    expect(() => checkDepth(body)).not.toThrow();
  }
});

it('a deeper one is refused, wherever it is deep, and ends no stack', () => {
  for (const body of [nested(101), { fine: 1, a: { b: nested(200_000) } }]) {
    expect(() => checkDepth(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});
