import { expect, it } from 'vitest';
import { checkDepth } from './check-depth.ts';

function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

it('accepts a body of ordinary depth', () => {
  for (const body of [undefined, null, 'text', { a: { b: [1, { c: null }] } }, nested(100)]) {
    expect(() => checkDepth(body)).not.toThrow();
  }
});

it('rejects a deeper body without overflowing the stack', () => {
  for (const body of [nested(101), { fine: 1, a: { b: nested(200_000) } }]) {
    expect(() => checkDepth(body)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  }
});
