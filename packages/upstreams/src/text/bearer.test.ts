import { expect, it } from 'vitest';
import { bearer } from './bearer.ts';

it('encodes a key as Bearer', () => {
  expect(bearer('k')).toEqual(['authorization', 'Bearer k']);
});
