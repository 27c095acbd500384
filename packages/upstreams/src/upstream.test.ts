import { expect, it } from 'vitest';
import { defineUpstream } from './upstream.ts';

it('a definition is given back as it is', () => {
  const kind = { kind: 'x', build: () => ({}) };
  expect(defineUpstream(kind)).toBe(kind);
});
