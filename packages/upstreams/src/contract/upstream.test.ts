import { expect, it } from 'vitest';
import { defineUpstream } from './upstream.ts';

it('returns a definition unchanged', () => {
  const kind = { kind: 'x', build: () => ({}) };
  expect(defineUpstream(kind)).toBe(kind);
});
